import { SchemaError } from '../schema-error.ts'
import { type Assertion, type PatternNode, parsePattern, refuse } from './parse-pattern.ts'

/** Characters beyond ASCII whose answers are kept. */
const mostKept = 4_096

/** The characters that one step of a pattern takes; the native engine says which these are, one at a time, so that they mean what they mean in ECMA-262. */
class CharacterSet {
  readonly #native: RegExp
  /** For each ASCII character: 0 not asked yet, 1 no, 2 yes. */
  readonly #ascii = new Uint8Array(128)
  readonly #others = new Map<number, boolean>()

  /** Reads the source of one class, escape or character; throws a SchemaError that quotes `pattern` for anything else. */
  constructor(source: string, ignoreCase: boolean, pattern: string) {
    try {
      // Sticky: without it, some versions of V8 miss characters beyond the basic plane.
      // backtracks: it is asked about one character
      this.#native = new RegExp(source, ignoreCase ? 'iuy' : 'uy')
    } catch (error) {
      const reason = error instanceof Error ? error.message.replace(/^Invalid regular expression: \/[\s\S]*\/\w*: /, '').slice(0, 200) : ''
      throw refuse(pattern, reason)
    }
  }

  has(code: number): boolean {
    if (code < 128) {
      if (this.#ascii[code] === 0) this.#ascii[code] = this.#ask(code) ? 2 : 1
      return this.#ascii[code] === 2
    }
    const known = this.#others.get(code)
    if (known !== undefined) return known
    if (this.#others.size >= mostKept) this.#others.clear()
    const found = this.#ask(code)
    this.#others.set(code, found)
    return found
  }

  #ask(code: number): boolean {
    this.#native.lastIndex = 0
    return this.#native.test(String.fromCodePoint(code))
  }
}

/** One step of a program: take a character, ask about the place, go on in two places of which the first is preferred, or match. */
export type Step =
  | { readonly type: 'take'; readonly set: CharacterSet; readonly next: number }
  | { readonly type: 'ask'; readonly assertion: Assertion; readonly next: number }
  | { readonly type: 'split'; readonly first: number; readonly second: number }
  | { readonly type: 'match' }

/** A pattern as steps. */
export interface Program {
  readonly steps: readonly Step[]
  /** Index of the step that it begins with. */
  readonly start: number
  /** For ASCII behind an edge, a word and another character: 1 where a search has learned that no match begins there. */
  readonly beginsNone: Uint8Array
}

/** Longest pattern that is looked at, and largest program that is made. */
const longest = 10_000
const largest = 20_000

/** Writes an ECMA-262 pattern as steps that run in linear time; throws a SchemaError for what cannot, and when they would be too many. */
export function compileProgram(source: string, ignoreCase = false): Program {
  if (source.length > longest) throw refuse(source, `it is longer than ${longest} characters`)
  const node = parsePattern(source)
  const steps: Step[] = [{ type: 'match' }]
  const known = new Map<string, CharacterSet>()
  const add = (step: Step): number => {
    if (steps.length >= largest) throw new SchemaError('too-large', 'a pattern of the schema is too large')
    return steps.push(step) - 1
  }
  const setOf = (set: string): CharacterSet => {
    const found = known.get(set) ?? new CharacterSet(set, ignoreCase, source)
    known.set(set, found)
    return found
  }
  /** Writes a node that goes on with `next`, and returns where it begins. */
  const write = (one: PatternNode, next: number): number => {
    if (one.type === 'set') return add({ type: 'take', set: setOf(one.source), next })
    if (one.type === 'assertion') return add({ type: 'ask', assertion: one.assertion, next })
    if (one.type === 'repeat') return writeRepeat(one, next)
    if (one.type === 'sequence') return one.nodes.reduceRight((after, part) => write(part, after), next)
    return one.nodes.map((part) => write(part, next)).reduceRight((second, first) => add({ type: 'split', first, second }))
  }
  const writeRepeat = ({ node: inner, least, most, isLazy }: PatternNode & { type: 'repeat' }, next: number): number => {
    const either = (more: number): Step =>
      isLazy ? { type: 'split', first: next, second: more } : { type: 'split', first: more, second: next }
    let after = next
    if (most === Number.POSITIVE_INFINITY) {
      after = add({ type: 'match' })
      steps[after] = either(write(inner, after))
    } else for (let extra = least; extra < most; extra++) after = add(either(write(inner, after)))
    for (let time = 0; time < least; time++) after = write(inner, after)
    return after
  }
  const start = write(node, 0)
  return { steps, start, beginsNone: new Uint8Array(3 * 128) }
}
