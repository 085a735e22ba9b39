import { ReasoningSkipper } from '../../../answer/reasoning.ts'
import type { IssueDraft } from '../../../contract/issue.ts'
import type { IncrementalCheck, Progress } from '../../../contract/validator.ts'
import type { UnitCounter } from './unit-counter.ts'

/** A limit on one unit of an answer. */
export interface Limit<Code extends string> {
  readonly max: number
  counter(): UnitCounter
  /** The message when there are more. */
  tooMany(observed: number): IssueDraft<Code>
  /** What else is wrong for certain, and where in the last piece it is. */
  fault?(counter: UnitCounter): { readonly at: number; readonly issue: IssueDraft<Code> } | undefined
}

interface Found<Code extends string> {
  /** Where the first character is that is too much, and the end of the text that shows it. */
  readonly start: number
  readonly end: number
  readonly issue: IssueDraft<Code>
}

/** The same list every time: nearly always there is nothing, for every few characters of a stream. */
const none: readonly never[] = []

/** Counts the units of a text; undecided text at its end counts as text. */
export function countUnits(counter: UnitCounter, text: string): number {
  counter.push(text)
  counter.end?.()
  return counter.count
}

/** Safe up to the last unit that is allowed; fails with the first character of the next one. Reasoning is not counted. */
export class LimitStream<Code extends string> implements IncrementalCheck<Code> {
  readonly #limits: readonly { readonly limit: Limit<Code>; readonly counter: UnitCounter }[]
  readonly #reasoning = new ReasoningSkipper()
  #length = 0
  #failed: Progress<Code> | undefined

  constructor(limits: readonly Limit<Code>[]) {
    this.#limits = limits.map((limit) => ({ limit, counter: limit.counter() }))
  }

  push(chunk: string): Progress<Code> {
    this.#length += chunk.length
    this.#failed ??= this.#count(this.#reasoning.push(chunk))
    if (this.#failed) return this.#failed
    let pending = 0
    for (const { counter } of this.#limits) if (counter.pending !== undefined && counter.pending > pending) pending = counter.pending
    return { safe: this.#length - pending }
  }

  #count(body: string): Progress<Code> | undefined {
    if (body === '') return undefined
    let found: readonly Found<Code>[] = none
    for (const { limit, counter } of this.#limits) {
      const extra = findExtra(limit, counter, body)
      if (extra !== none) found = [...found, ...extra]
    }
    if (found.length === 0) return undefined
    const end = Math.min(...found.map((one) => one.end))
    const first = found.filter((one) => one.end === end)
    const offset = this.#length - body.length
    const safe = offset + Math.min(...first.map(({ start }) => start))
    return { safe, failure: { at: offset + end, issues: first.map(({ issue }) => issue) } }
  }
}

function findExtra<Code extends string>(limit: Limit<Code>, counter: UnitCounter, body: string): readonly Found<Code>[] {
  const start = counter.push(body, limit.max + 1)
  const fault = limit.fault?.(counter)
  const wrong = fault === undefined ? none : [{ start: fault.at - 1, end: fault.at, issue: fault.issue }]
  if (start === undefined) return wrong
  const width = (body.codePointAt(start) ?? 0) > 0xffff ? 2 : 1
  return [...wrong, { start, end: start + width, issue: limit.tooMany(counter.count) }]
}
