import { RE2JS } from 're2js'
import { SchemaError } from '../schema-error.ts'
import { characters } from '../values/json-value.ts'
import { patternSize } from './pattern-size.ts'
import { refuse, translatePattern } from './pattern-translate.ts'

/** A pattern that runs in linear time. */
export interface LinearPattern {
  test(text: string): boolean
  /** Size of its program: the cost of a test is this times the length of the text. */
  readonly size: number
}

/** Longest pattern that is looked at, and largest program that is made. */
const longest = 10_000
const largest = 20_000

/** Compiles an ECMA-262 pattern for a linear engine; throws a SchemaError for what such an engine cannot do. */
export function compilePattern(source: string): LinearPattern {
  if (source.length > longest) throw refuse(source, `it is longer than ${longest} characters`)
  const { conditions, rest } = splitLookAhead(source)
  if (conditions.length === 0) return compileCounted(source) ?? compile(source, translatePattern(source))
  const parts = [{ wanted: true, pattern: compile(source, translatePattern(`^(?:${rest})`)) }]
  for (const { wanted, inner } of conditions) parts.push({ wanted, pattern: compile(source, translatePattern(`^(?:${inner})`)) })
  return {
    size: parts.reduce((sum, { pattern }) => sum + pattern.size, 0),
    test: (text) => parts.every(({ wanted, pattern }) => pattern.test(text) === wanted),
  }
}

function compile(source: string, translated: string): LinearPattern {
  const program = compileTranslated(source, translated)
  return { size: program.programSize(), test: (text) => program.test(text) }
}

/** Compiles a translated pattern; `source` is what it was translated from. */
export function compileTranslated(source: string, translated: string): RE2JS {
  if (source.length > longest) throw refuse(source, `it is longer than ${longest} characters`)
  // Making the program is the dear part, so its size is told before.
  if (patternSize(translated) > largest) throw new SchemaError('too-large', 'a pattern of the schema is too large')
  try {
    return RE2JS.compile(translated)
  } catch (error) {
    throw refuse(source, error instanceof Error ? error.message.replace(/^error parsing regexp: /, '').slice(0, 200) : String(error))
  }
}

/** One class of characters and a count, `^[a-z]{1,500}$`: counting is cheaper than a program of 500 steps. */
function compileCounted(source: string): LinearPattern | undefined {
  const [, atom, least, comma, most] =
    /^\^(\.|\\[dwsDWS]|\[\^?(?:[^\\[\]]|\\[\s\S])+\])\{(\d{1,9})(?:(,)(\d{0,9}))?\}\$$/.exec(source) ?? []
  if (atom === undefined) return undefined
  const every = compile(source, translatePattern(`^${atom}*$`))
  const low = Number(least)
  const high = comma === undefined ? low : most ? Number(most) : Number.POSITIVE_INFINITY
  if (high < low) throw refuse(source, 'the numbers of {} are out of order')
  return {
    size: every.size,
    test(text) {
      const count = characters(text)
      return count >= low && count <= high && every.test(text)
    },
  }
}

interface LookAhead {
  readonly wanted: boolean
  readonly inner: string
}

/** Takes the look-aheads right after a leading `^` apart: there, each is a question of its own about the start of the text. */
function splitLookAhead(source: string): { readonly conditions: readonly LookAhead[]; readonly rest: string } {
  const conditions: LookAhead[] = []
  let at = 1
  while (source.startsWith('^') && /^\(\?[=!]/.test(source.slice(at, at + 3))) {
    const end = endOfGroup(source, at)
    // What follows the group must not repeat it.
    if (end === undefined || /^[*+?{]/.test(source.slice(end, end + 1))) return { conditions: [], rest: source }
    conditions.push({ wanted: source[at + 2] === '=', inner: source.slice(at + 3, end - 1) })
    at = end
  }
  const rest = source.slice(at)
  return conditions.length === 0 || hasAlternatives(rest) ? { conditions: [], rest: source } : { conditions, rest }
}

/** The offset after the group that opens at `start`. */
function endOfGroup(source: string, start: number): number | undefined {
  let found: number | undefined
  scanGroups(source, start, (depth, at) => {
    if (depth === 0 && found === undefined) found = at + 1
  })
  return found
}

/** Tells whether a `|` stands outside of all groups. */
function hasAlternatives(source: string): boolean {
  let found = false
  scanGroups(source, 0, (depth, at) => {
    if (depth === 0 && source[at] === '|') found = true
  })
  return found
}

/** Calls back at each `|` and `)` that is syntax, with the depth of groups after it. */
function scanGroups(source: string, start: number, visit: (depth: number, at: number) => void): void {
  let depth = 0
  let inClass = false
  for (let at = start; at < source.length; at++) {
    const unit = source[at]
    if (unit === '\\') at++
    else if (inClass) inClass = unit !== ']'
    else if (unit === '[') inClass = true
    else if (unit === '(') depth++
    else if (unit === ')') visit(--depth, at)
    else if (unit === '|') visit(depth, at)
  }
}
