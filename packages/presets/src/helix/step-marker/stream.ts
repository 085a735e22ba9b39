import type { Answer, Finding } from '@stickler/core'
import type { Machine, Reading } from '@stickler/core/internal'
import { beginnings, ProseMatches, reportAtEnd } from '@stickler/core/internal/validators'
import { invalidMarkers, longestMarker, openMarker } from './extract.ts'

/** What a marker begins with. */
const begins = beginnings('<', '')

/**
 * Holds back what a repair might replace: a comment that may become a marker, and everything from an invalid marker on.
 * Nothing can fail before the end, since a marker may always follow.
 */
export class StepMarkerMachine<Code extends string> implements Machine {
  readonly reach: number
  safe = Number.POSITIVE_INFINITY
  readonly #reading: Reading<Code>
  readonly #judge: (answer: Answer) => Iterable<Finding<Code>>
  readonly #markers: ProseMatches
  /** Where the first invalid marker starts. It stays, also where a valid one follows: shown without that one, it would count again when a retry goes on from there. */
  #invalid: number | undefined

  constructor(reading: Reading<Code>, judge: (answer: Answer) => Iterable<Finding<Code>>) {
    this.#reading = reading
    this.#judge = judge
    this.#markers = new ProseMatches(reading, {
      pattern: invalidMarkers,
      begins,
      unfinished: openMarker,
      reach: longestMarker,
      code: false,
      judge: ({ span: { start, end } }) => {
        if (end - start <= longestMarker) this.#invalid ??= start
      },
    })
    this.reach = this.#markers.reach
  }

  read(piece: string, at: number): void {
    const { answer } = this.#reading
    if (answer) {
      reportAtEnd(this.#reading, this.#judge(answer))
      return
    }
    if (this.#invalid === undefined) this.#markers.read(piece, at, false)
    this.safe = this.#invalid ?? this.#markers.safe
  }
}
