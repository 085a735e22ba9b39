import type { Answer, Finding, TextSpan } from '@stickler/core'
import { type Machine, type Reading, reportAtEnd } from '@stickler/core/internal/validators'
import { longestMarker, readMarker, type StepMarker } from './extract.ts'

/**
 * Holds back what a repair might replace: a comment that may become a marker, and everything from an invalid marker on.
 * Nothing can fail before the end, since a marker may always follow.
 */
export class StepMarkerMachine<Code extends string> implements Machine {
  readonly reach = 0
  safe = 0
  readonly #reading: Reading<Code>
  readonly #judge: (answer: Answer) => Iterable<Finding<Code>>
  /** The text from `<` on, while it may become a marker. */
  #open: string | undefined
  #linesRead = 0
  /** Markers whose paragraph has not ended yet: whether they are in code is unknown. */
  #undecided: StepMarker[] = []
  /** How many of them are known to be valid, from the first on. */
  #valid = 0
  /** Where the first invalid marker is. */
  #invalid: TextSpan | undefined

  constructor(reading: Reading<Code>, judge: (answer: Answer) => Iterable<Finding<Code>>) {
    this.#reading = reading
    this.#judge = judge
  }

  read(piece: string, at: number): void {
    const { answer, outline } = this.#reading
    if (answer) {
      reportAtEnd(this.#reading, this.#judge(answer))
      return
    }
    this.#scan(piece, at)
    if (outline.linesRead !== this.#linesRead) this.#decide()
    this.safe = this.#held() ?? at + piece.length - (this.#open?.length ?? 0)
  }

  #scan(chunk: string, at: number): void {
    let from = 0
    while (from < chunk.length) {
      if (this.#open === undefined) {
        const start = chunk.indexOf('<', from)
        if (start < 0) break
        from = start
        this.#open = ''
      }
      from = this.#extend(this.#open, chunk, from, at)
    }
  }

  /** Adds to the open text what is needed to decide it, and returns where to go on. */
  #extend(open: string, chunk: string, from: number, at: number): number {
    const text = open + chunk.slice(from, from + longestMarker - open.length)
    const start = at + from - open.length
    const found = readMarker(text, start)
    if (found === 'open') {
      this.#open = text
      return chunk.length
    }
    this.#open = undefined
    if (found !== undefined) {
      this.#undecided.push(found)
      return found.span.end - at
    }
    // The open text was a proper prefix of a marker, so no other one can start in it after its first character.
    return Math.max(from, start + 1 - at)
  }

  #decide(): void {
    const { outline, closed } = this.#reading
    this.#linesRead = outline.linesRead
    let decided = 0
    for (const { step, span } of this.#undecided) {
      if (span.end > closed) break
      decided++
      // It stays, also where a valid one follows: shown without that one, it would count again when a retry goes on from there.
      if (!step && span.start >= outline.bodyStart && !this.#reading.inCode(span.start)) this.#invalid ??= span
    }
    if (decided > 0) this.#undecided = this.#undecided.slice(decided)
    this.#valid = Math.max(0, this.#valid - decided)
  }

  /** Where the first marker starts that is invalid, or may be. */
  #held(): number | undefined {
    if (this.#invalid) return this.#invalid.start
    while (this.#undecided[this.#valid]?.step) this.#valid++
    return this.#undecided[this.#valid]?.span.start
  }
}
