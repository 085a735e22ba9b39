import type { TextSpan } from '../../../answer/span.ts'
import type { IssueDraft } from '../../../contract/issue.ts'
import type { Machine, Reading } from '../../../contract/machine/machine.ts'
import type { UnitCounter } from './unit-counter.ts'

/** A limit on one unit of an answer. */
export interface Limit<Code extends string> {
  readonly min?: number | undefined
  readonly max?: number | undefined
  counter(): UnitCounter
  /** `span` is what is too much of a whole answer. */
  tooMany(observed: number, span?: TextSpan): IssueDraft<Code>
  tooFew?(observed: number): IssueDraft<Code>
  /** What else is wrong for certain, and where in the last piece it is. */
  fault?(counter: UnitCounter): { readonly at: number; readonly issue: IssueDraft<Code> } | undefined
  /** What only the whole text shows. */
  atEnd?(body: string): IssueDraft<Code> | undefined
}

/** Counts the units of an answer: safe up to the last one that is allowed, and wrong with the first character of the next one. */
export class Counting<Code extends string> implements Machine {
  safe = Number.POSITIVE_INFINITY
  readonly #reading: Reading<Code>
  readonly #limits: readonly Limit<Code>[]
  readonly #counters: readonly UnitCounter[]
  #start = -1
  #isWrong = false

  constructor(reading: Reading<Code>, limits: readonly Limit<Code>[]) {
    this.#reading = reading
    this.#limits = limits
    this.#counters = limits.map((limit) => limit.counter())
  }

  read(piece: string, at: number, isEnd: boolean): void {
    if (this.#start < 0) this.#start = at
    let pending = 0
    for (let index = 0; index < this.#limits.length; index++) {
      const limit = this.#limits[index] as Limit<Code>
      const counter = this.#counters[index] as UnitCounter
      if (isEnd) this.#finish(limit, counter, piece, at)
      else this.#count(limit, counter, piece, at)
      if (counter.pending !== undefined && counter.pending > pending) pending = counter.pending
    }
    this.safe = this.#isWrong ? Number.POSITIVE_INFINITY : at + piece.length - pending
  }

  #count(limit: Limit<Code>, counter: UnitCounter, piece: string, at: number): void {
    const extra = counter.push(piece, (limit.max ?? Number.POSITIVE_INFINITY) + 1)
    const fault = limit.fault?.(counter)
    if (fault !== undefined) this.#wrong(at + fault.at - 1, at + fault.at, fault.issue)
    if (extra === undefined) return
    const width = (piece.codePointAt(extra) ?? 0) > 0xffff ? 2 : 1
    this.#wrong(at + extra, at + extra + width, limit.tooMany(counter.count))
  }

  #finish(limit: Limit<Code>, counter: UnitCounter, piece: string, at: number): void {
    const { min = 0, max = Number.POSITIVE_INFINITY } = limit
    counter.push(piece)
    counter.end?.()
    const observed = counter.count
    const end = at + piece.length
    if (observed > max) {
      const body = this.#reading.slice({ start: this.#start, end })
      const start = this.#start + Math.max(0, limit.counter().push(body, max + 1) ?? body.length)
      this.#wrong(start, end, limit.tooMany(observed, { start, end }))
    }
    // More may follow once the tools have answered.
    if (observed < min && limit.tooFew && !this.#reading.answer?.isBetween) this.#wrong(end, end, limit.tooFew(observed))
    const issue = limit.fault?.(counter)?.issue
    if (issue) this.#wrong(end, end, issue)
    const last = limit.atEnd?.(this.#reading.slice({ start: this.#start, end }))
    if (last) this.#wrong(end, end, last)
  }

  #wrong(start: number, at: number, issue: IssueDraft<Code>): void {
    this.#isWrong = true
    this.#reading.wrong({ start, at, issue: () => issue })
  }
}
