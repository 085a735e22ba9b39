import { SchemaError } from '../schema-error.ts'
import { character, readEscape } from './pattern-escapes.ts'

/** Everything but the line ends of ECMA-262. */
const dot = '[^\\n\\r\\x{2028}\\x{2029}]'
const anything = '[\\x{0}-\\x{10ffff}]'
const nothing = '[^\\x{0}-\\x{10ffff}]'

/** Writes an ECMA-262 pattern (unicode mode) in the syntax of RE2 with the same meaning; throws a SchemaError for what RE2 cannot do. */
export function translatePattern(source: string): string {
  const pieces: string[] = []
  for (let at = 0; at < source.length; ) {
    const unit = source[at] ?? ''
    if (unit === '\\') {
      const escaped = readEscape(source, at, false)
      if (typeof escaped === 'string') throw refuse(source, escaped)
      pieces.push(escaped.text)
      at = escaped.end
    } else if (unit === '[') {
      const [text, end] = translateClass(source, at)
      pieces.push(text)
      at = end
    } else if (unit === '(') {
      const [text, end] = translateGroup(source, at)
      pieces.push(text)
      at = end
    } else if (unit === '{' && !/^\{\d+(?:,\d*)?\}/.test(source.slice(at, at + 16))) {
      pieces.push('\\{')
      at++
    } else {
      const code = source.codePointAt(at) ?? 0
      pieces.push(special.get(unit) ?? (code >= 0xd800 && code <= 0xdfff ? character(code, 0).text : String.fromCodePoint(code)))
      at += code > 0xffff ? 2 : 1
    }
  }
  return pieces.join('')
}

const special: ReadonlyMap<string, string> = new Map([
  ['.', dot],
  ['^', '\\A'],
  ['$', '\\z'],
  [']', '\\]'],
])

/** Groups capture nothing here: only whether the pattern fits is asked. */
function translateGroup(source: string, at: number): readonly [text: string, end: number] {
  if (source[at + 1] !== '?') return ['(?:', at + 1]
  if (source[at + 2] === ':') return ['(?:', at + 3]
  if (/^\(\?<?[=!]/.test(source.slice(at, at + 4)))
    throw refuse(source, 'look-around can only stand right after a leading ^ to run in linear time')
  const name = /^\(\?<[^>]+>/.exec(source.slice(at, at + 80))?.[0]
  if (name === undefined) throw refuse(source, `${source.slice(at, at + 4)} is not a group`)
  return ['(?:', at + name.length]
}

function translateClass(source: string, start: number): readonly [text: string, end: number] {
  const negated = source[start + 1] === '^'
  const pieces: string[] = []
  let at = start + (negated ? 2 : 1)
  let last: 'set' | 'character' | undefined
  while (source[at] !== ']') {
    if (at >= source.length) throw refuse(source, 'a [ is not closed')
    const isRange = source[at] === '-' && last === 'character' && source[at + 1] !== ']' && at + 1 < source.length
    const [kind, text, end] = classAtom(source, isRange ? at + 1 : at)
    if (isRange && kind === 'character') {
      pieces.push('-', text)
      last = undefined
    } else {
      if (isRange) pieces.push('\\-')
      pieces.push(text)
      last = kind
    }
    at = end
  }
  if (pieces.length === 0) return [negated ? anything : nothing, at + 1]
  return [`[${negated ? '^' : ''}${pieces.join('')}]`, at + 1]
}

function classAtom(source: string, at: number): readonly [kind: 'set' | 'character', text: string, end: number] {
  if (source[at] === '\\') {
    const escaped = readEscape(source, at, true)
    if (typeof escaped === 'string') throw refuse(source, escaped)
    return [escaped.kind === 'set' ? 'set' : 'character', escaped.text, escaped.end]
  }
  const code = source.codePointAt(at) ?? 0
  const { text, end } = character(code, at + (code > 0xffff ? 2 : 1))
  return ['character', text, end]
}

/** The error for a pattern that cannot be used. */
export function refuse(source: string, reason: string): SchemaError {
  return new SchemaError('pattern', `the pattern ${JSON.stringify(source.slice(0, 120))} cannot be used: ${reason}`)
}
