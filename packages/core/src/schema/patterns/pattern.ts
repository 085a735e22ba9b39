import { characters } from '../../json/json-value.ts'
import { Automaton } from './automaton.ts'
import { refuse } from './parse-pattern.ts'
import { compileProgram } from './program.ts'

/** A pattern that runs in linear time. */
export interface LinearPattern {
  test(text: string): boolean
  /** Size of its program: the cost of a test is this times the length of the text. */
  readonly size: number
}

/** Compiles an ECMA-262 pattern for a linear engine; throws a SchemaError for what such an engine cannot do. */
export function compilePattern(source: string): LinearPattern {
  const { conditions, rest } = splitLookAhead(source)
  if (conditions.length === 0) return compileCounted(source) ?? compile(source)
  const parts = [{ wanted: true, pattern: compile(`^(?:${rest})`) }]
  for (const { wanted, inner } of conditions) parts.push({ wanted, pattern: compile(`^(?:${inner})`) })
  return {
    size: parts.reduce((sum, { pattern }) => sum + pattern.size, 0),
    test: (text) => parts.every(({ wanted, pattern }) => pattern.test(text) === wanted),
  }
}

function compile(source: string): LinearPattern {
  const program = compileProgram(source)
  const automaton = new Automaton(program)
  return { size: program.steps.length, test: (text) => automaton.test(text) }
}

/** One class of characters and a count, `^[a-z]{1,500}$`: counting is cheaper than a program of 500 steps. */
function compileCounted(source: string): LinearPattern | undefined {
  const [, atom, least, comma, most] =
    /^\^(\.|\\[dwsDWS]|\[\^?(?:[^\\[\]]|\\[\s\S])+\])\{(\d{1,9})(?:(,)(\d{0,9}))?\}\$$/.exec(source) ?? []
  if (atom === undefined) return undefined
  const every = compile(`^${atom}*$`)
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

/** Whether a `|` is outside of all groups. */
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
