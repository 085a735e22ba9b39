import { quotePattern } from '../evaluate/show.ts'
import { SchemaError } from '../schema-error.ts'

/** An escape that was read: as the native engine takes it in unicode mode, usable in a class when it is a set or a character. */
interface Escape {
  readonly kind: 'set' | 'character' | 'assertion'
  readonly text: string
  /** Offset after it. */
  readonly end: number
}

const controls: Readonly<Record<string, string>> = { t: '\\t', n: '\\n', r: '\\r', f: '\\f', v: '\\v' }

/** Reads the ECMA-262 escape whose backslash is at `at`; a string is the reason why it cannot be used. */
function readEscape(source: string, at: number, inClass: boolean): Escape | string {
  const letter = source[at + 1]
  const end = at + 2
  if (letter === undefined) return 'it ends with a backslash'
  if ('dDwWsS'.includes(letter)) return { kind: 'set', text: `\\${letter}`, end }
  if (letter === 'b' && inClass) return character(8, end)
  if ('bB'.includes(letter)) return { kind: 'assertion', text: `\\${letter}`, end }
  const control = controls[letter]
  if (control !== undefined) return { kind: 'character', text: control, end }
  if (letter === 'c' && /[A-Za-z]/.test(source[end] ?? '')) return character(source.charCodeAt(end) % 32, end + 1)
  if (letter === 'p' || letter === 'P') return readProperty(source, at)
  if (letter === '0' && !/\d/.test(source[end] ?? '')) return character(0, end)
  if (/[0-9k]/.test(letter)) return 'a back-reference cannot run in linear time'
  if (letter === 'x' || letter === 'u') return readCodePoint(source, at)
  return /[A-Za-z]/.test(letter) ? `\\${letter} is not an escape` : literal(source.codePointAt(at + 1) ?? 0, at + 1)
}

/** A code point as an escape. */
function character(code: number, end: number): Escape {
  return { kind: 'character', text: `\\u{${code.toString(16)}}`, end }
}

function literal(code: number, at: number): Escape {
  return character(code, at + (code > 0xffff ? 2 : 1))
}

function readCodePoint(source: string, at: number): Escape | string {
  const [whole = '', first, second, braced] =
    /^\\(?:u([\da-fA-F]{4})(?:\\u([dD][c-fC-F][\da-fA-F]{2}))?|u\{([\da-fA-F]{1,6})\})/.exec(source.slice(at, at + 14)) ?? []
  if (braced !== undefined)
    return Number.parseInt(braced, 16) > 0x10ffff ? 'no such character' : character(Number.parseInt(braced, 16), at + whole.length)
  if (first !== undefined) {
    const high = Number.parseInt(first, 16)
    if (second === undefined || high < 0xd800 || high > 0xdbff) return character(high, at + 6)
    return character(0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(second, 16) - 0xdc00), at + whole.length)
  }
  const hex = /^\\x([\da-fA-F]{2})/.exec(source.slice(at, at + 4))?.[1]
  return hex === undefined ? `\\${source[at + 1]} lacks its digits` : character(Number.parseInt(hex, 16), at + 4)
}

function readProperty(source: string, at: number): Escape | string {
  const [whole, sign, name] = /^\\([pP])\{((?:\w+=)?\w+)\}/.exec(source.slice(at, at + 80)) ?? []
  if (whole === undefined || name === undefined) return `${source.slice(at, at + 12)} is not a property of characters`
  const text = [name, `Script=${name}`].map((one) => `\\${sign}{${one}}`).find(isNative)
  return text === undefined ? `${whole} is not a property of characters` : { kind: 'set', text, end: at + whole.length }
}

function isNative(source: string): boolean {
  try {
    // backtracks: it is only compiled
    return new RegExp(source, 'u') instanceof RegExp
  } catch {
    return false
  }
}

/** A pattern, as a tree. */
export type PatternNode =
  /** One character, as the source of a native class. */
  | { readonly type: 'set'; readonly source: string }
  | { readonly type: 'assertion'; readonly assertion: Assertion }
  | { readonly type: 'sequence' | 'alternatives'; readonly nodes: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly node: PatternNode; readonly least: number; readonly most: number; readonly isLazy: boolean }

/** Groups nested deeper than this, and counts above it, are refused. */
const deepest = 500
const mostTimes = 1000

/** Reads an ECMA-262 pattern (unicode mode, tolerant of escapes that need none); throws a SchemaError for what cannot run in linear time. */
export function parsePattern(source: string): PatternNode {
  const reader = new PatternReader(source)
  return reader.read()
}

class PatternReader {
  readonly #source: string
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  read(): PatternNode {
    const node = this.#alternatives()
    if (this.#at < this.#source.length) throw this.#refuse('a ) has no matching (')
    return node
  }

  #alternatives(): PatternNode {
    const nodes = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      nodes.push(this.#sequence())
    }
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { type: 'alternatives', nodes }
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = []
    for (let unit = this.#source[this.#at]; unit !== undefined && unit !== '|' && unit !== ')'; unit = this.#source[this.#at])
      nodes.push(this.#repeated(this.#atom(unit)))
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { type: 'sequence', nodes }
  }

  #atom(unit: string): PatternNode {
    if (unit === '(') return this.#group()
    if (unit === '[') return this.#class()
    if (unit === '\\') return this.#escape()
    if ('*+?'.includes(unit) || this.#count() !== undefined) throw this.#refuse(`there is nothing for ${unit} to repeat`)
    if (unit === '^' || unit === '$') {
      this.#at++
      return { type: 'assertion', assertion: unit === '^' ? 'start' : 'end' }
    }
    if (unit === '.') {
      this.#at++
      return { type: 'set', source: '.' }
    }
    return { type: 'set', source: this.#character() }
  }

  #escape(): PatternNode {
    const escaped = readEscape(this.#source, this.#at, false)
    if (typeof escaped === 'string') throw this.#refuse(escaped)
    this.#at = escaped.end
    if (escaped.kind !== 'assertion') return { type: 'set', source: escaped.text }
    return { type: 'assertion', assertion: escaped.text === '\\b' ? 'word-boundary' : 'no-word-boundary' }
  }

  #group(): PatternNode {
    const start = this.#at
    this.#at += this.#groupHead().length
    if (++this.#depth > deepest) throw this.#refuse(`its groups are nested deeper than ${deepest} levels`)
    const node = this.#alternatives()
    if (this.#source[this.#at] !== ')') throw this.#refuse('a ( is not closed', start)
    this.#at++
    this.#depth--
    return node
  }

  /** A class, rewritten for the native engine. */
  #class(): PatternNode {
    const start = this.#at
    const negated = this.#source[this.#at + 1] === '^'
    const pieces: string[] = []
    this.#at += negated ? 2 : 1
    let last: 'set' | 'character' | undefined
    while (this.#source[this.#at] !== ']') {
      if (this.#at >= this.#source.length) throw this.#refuse('a [ is not closed', start)
      const next = this.#source[this.#at + 1]
      const isRange = this.#source[this.#at] === '-' && last === 'character' && next !== ']' && next !== undefined
      if (isRange) this.#at++
      const { kind, text } = this.#member()
      if (isRange && kind === 'character') {
        pieces.push('-', text)
        last = undefined
      } else {
        if (isRange) pieces.push('\\-')
        pieces.push(text)
        last = kind
      }
    }
    this.#at++
    return { type: 'set', source: `[${negated ? '^' : ''}${pieces.join('')}]` }
  }

  #member(): { readonly kind: 'set' | 'character'; readonly text: string } {
    if (this.#source[this.#at] !== '\\') return { kind: 'character', text: this.#character() }
    const escaped = readEscape(this.#source, this.#at, true)
    if (typeof escaped === 'string') throw this.#refuse(escaped)
    this.#at = escaped.end
    return { kind: escaped.kind === 'set' ? 'set' : 'character', text: escaped.text }
  }

  #character(): string {
    const code = this.#source.codePointAt(this.#at) ?? 0
    this.#at += code > 0xffff ? 2 : 1
    return `\\u{${code.toString(16)}}`
  }

  #repeated(node: PatternNode): PatternNode {
    const unit = this.#source[this.#at]
    const counted = unit === '{' ? this.#count() : undefined
    if (unit === undefined || (counted === undefined && !'*+?'.includes(unit))) return node
    const least = counted?.least ?? (unit === '+' ? 1 : 0)
    const most = counted?.most ?? (unit === '?' ? 1 : Number.POSITIVE_INFINITY)
    if (most < least) throw this.#refuse('the numbers of {} are out of order')
    if (least > mostTimes || (most > mostTimes && most !== Number.POSITIVE_INFINITY))
      throw this.#refuse(`it repeats something more than ${mostTimes} times`)
    this.#at += counted?.length ?? 1
    const isLazy = this.#source[this.#at] === '?'
    if (isLazy) this.#at++
    return { type: 'repeat', node, least, most, isLazy }
  }

  #count(): { readonly least: number; readonly most: number; readonly length: number } | undefined {
    const [whole, least, comma, most] = /^\{(\d{1,9})(?:(,)(\d{0,9}))?\}/.exec(this.#source.slice(this.#at, this.#at + 24)) ?? []
    if (whole === undefined) return undefined
    const low = Number(least)
    return { least: low, most: comma === undefined ? low : most ? Number(most) : Number.POSITIVE_INFINITY, length: whole.length }
  }

  #refuse(reason: string, at = this.#at): Error {
    return refuse(this.#source, `${reason}, at character ${at + 1}`)
  }

  /** What opens a group; groups capture nothing here, because only matches as a whole are asked for. */
  #groupHead(): string {
    const head = this.#source.slice(this.#at, this.#at + 80)
    if (head[1] !== '?') return '('
    if (head[2] === ':') return '(?:'
    if (/^\(\?<?[=!]/.test(head)) throw this.#refuse('look-around is not supported here, because it would not run in linear time')
    const name = /^\(\?<[^>]+>/.exec(head)?.[0]
    if (name === undefined) throw this.#refuse(`${head.slice(0, 4)} is not a group`)
    return name
  }
}

/** The error for a pattern that cannot be used. */
export function refuse(source: string, reason: string): SchemaError {
  return new SchemaError('pattern', `the pattern ${quotePattern(source)} cannot be used: ${reason}`)
}

/** What a pattern asks of one place of a text. */
export type Assertion = 'start' | 'end' | 'word-boundary' | 'no-word-boundary'

/** What is before or after a place of a text: its edge, a character of a word, or another one. */
export type Side = 'edge' | 'word' | 'other'

/** Whether an assertion holds between two sides. */
export function holds(assertion: Assertion, before: Side, after: Side): boolean {
  if (assertion === 'start') return before === 'edge'
  if (assertion === 'end') return after === 'edge'
  const isBoundary = (before === 'word') !== (after === 'word')
  return isBoundary === (assertion === 'word-boundary')
}

/** Whether `\\w` takes a character. */
export function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
}
