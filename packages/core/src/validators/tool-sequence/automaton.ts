import { type PastCall, readTranscript } from '../../answer/transcript.ts'

/** How calls are compared with the expected ones. */
export const matches = ['exact', 'prefix', 'in_order', 'any_order'] as const

/** `exact`: these calls and no others; `prefix`: so far; `in_order`: others may occur between them; `any_order`: all of them. */
export type SequenceMatch = (typeof matches)[number]

/** Where an order holds: in the whole conversation, or since the user last said more than a short reply. */
export const scopes = ['conversation', 'question'] as const

/** One of `scopes`. */
type SequenceScope = (typeof scopes)[number]

/** Rules on the order of tool calls; what a rule does not name it allows. */
export interface SequenceRules {
  /** What `order` and `expect` look at: all calls of the conversation, or those since the user last said more than a short reply. */
  readonly scope?: SequenceScope | undefined
  /** A tool must not be called once a later one of the list has been. */
  readonly order?: readonly string[] | undefined
  readonly expect?: readonly string[] | undefined
  readonly match?: SequenceMatch | undefined
  /** Pairs: the second tool needs an earlier call of the first one. */
  readonly before?: readonly (readonly [string, string])[] | undefined
  /** By tool: those that must have succeeded before it is called. */
  readonly requires?: Readonly<Record<string, readonly string[]>> | undefined
  readonly never?: readonly string[] | undefined
  /** By tool: how often it may be called. */
  readonly at_most?: Readonly<Record<string, number>> | undefined
}

/** Why a call is not legal now. */
export type Violation =
  | { readonly rule: 'order'; readonly later: string }
  | { readonly rule: 'before' | 'requires'; readonly needed: string }
  | { readonly rule: 'never' }
  | { readonly rule: 'at_most'; readonly limit: number; readonly count: number }
  | { readonly rule: 'expect'; readonly expected: string | undefined }

/** Walks through calls, and says of each possible next one whether it is legal. */
export class SequenceAutomaton {
  readonly #order = new Map<string, number>()
  readonly #needs = new Map<string, string[]>()
  readonly #requires: ReadonlyMap<string, readonly string[]>
  readonly #never: ReadonlySet<string>
  readonly #limits: ReadonlyMap<string, number>
  readonly #line: readonly string[] | undefined
  readonly #isScoped: boolean
  readonly #counts = new Map<string, number>()
  readonly #succeeded = new Set<string>()
  #furthest: string | undefined
  /** How many expected calls have been made; undefined once something else was called. */
  #position: number | undefined = 0

  constructor({ order = [], expect, match = 'exact', before = [], requires = {}, never = [], at_most = {}, scope }: SequenceRules) {
    for (const [rank, name] of order.entries()) if (!this.#order.has(name)) this.#order.set(name, rank)
    for (const [first, second] of before) {
      const needs = this.#needs.get(second)
      if (needs) needs.push(first)
      else this.#needs.set(second, [first])
    }
    this.#requires = new Map(Object.entries(requires))
    this.#never = new Set(never)
    this.#limits = new Map(Object.entries(at_most))
    this.#line = match === 'exact' || match === 'prefix' ? expect : undefined
    this.#isScoped = scope === 'question'
  }

  /** The names that a rule forbids or allows. */
  get named(): readonly string[] {
    return [...new Set([...this.#order.keys(), ...this.#needs.keys(), ...this.#requires.keys(), ...this.#never, ...this.#limits.keys()])]
  }

  /** The only tool that may come next; undefined when there are several, `none` when the expected calls are done or missed. */
  get due(): { readonly name: string } | 'none' | undefined {
    if (this.#line === undefined) return undefined
    const name = this.#position === undefined ? undefined : this.#line[this.#position]
    return name === undefined ? 'none' : { name }
  }

  /** Why a call of this tool would not be legal now; empty when it would. */
  violations(name: string): Violation[] {
    const found: Violation[] = []
    const later = this.#furthest
    if (later !== undefined && this.#rank(name) < this.#rank(later)) found.push({ rule: 'order', later })
    for (const needed of this.#needs.get(name) ?? []) if (!this.#counts.has(needed)) found.push({ rule: 'before', needed })
    for (const needed of this.#requires.get(name) ?? []) if (!this.#succeeded.has(needed)) found.push({ rule: 'requires', needed })
    if (this.#never.has(name)) found.push({ rule: 'never' })
    const limit = this.#limits.get(name)
    const count = (this.#counts.get(name) ?? 0) + 1
    if (limit !== undefined && count > limit) found.push({ rule: 'at_most', limit, count })
    const { due } = this
    if (due !== undefined && (due === 'none' || due.name !== name))
      found.push({ rule: 'expect', expected: due === 'none' ? undefined : due.name })
    return found
  }

  /** Takes a call that has been made, legal or not. */
  advance({ name, ok, earlier }: PastCall): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    if (ok === true) this.#succeeded.add(name)
    if (earlier && this.#isScoped) return
    if (this.#line !== undefined && this.#position !== undefined)
      this.#position = this.#line[this.#position] === name ? this.#position + 1 : undefined
    if (this.#order.has(name) && (this.#furthest === undefined || this.#rank(name) > this.#rank(this.#furthest))) this.#furthest = name
  }

  /** The place in the order; a tool outside of it comes after everything, so that it is never late. */
  #rank(name: string): number {
    return this.#order.get(name) ?? Number.POSITIVE_INFINITY
  }
}

/**
 * The tools that are legal after these calls, or after those of a conversation; `any` when no rule forbids one.
 *
 * Throws a TypeError when some of the calls are missing from the conversation, or cannot be read.
 * Of the tools in `tools` when they are given, else of those that the rules name: tools that no rule names are legal as well then.
 */
export function legalNext(rules: SequenceRules, transcript: readonly unknown[], tools?: readonly string[]): string[] | 'any' {
  const automaton = new SequenceAutomaton(rules)
  const { calls, gap, unread } = readTranscript(transcript)
  if (gap !== undefined) throw new TypeError(`a part of the conversation is kept elsewhere: ${gap}`)
  if (unread !== undefined) throw new TypeError(`a part of the conversation cannot be read: ${unread}`)
  for (const call of calls) automaton.advance(call)
  const isLegal = (name: string): boolean => automaton.violations(name).length === 0
  const { due } = automaton
  if (due === 'none') return []
  if (due !== undefined) return [due.name].filter((name) => isLegal(name) && (tools?.includes(name) ?? true))
  if (automaton.named.every(isLegal)) return 'any'
  return [...new Set(tools ?? automaton.named)].filter(isLegal)
}
