import type { AnswerOutline, IncrementalCheck, Progress } from '@stickler/core'
import { InlineCodeWatch, KeptText } from '@stickler/core/internal/validators'
import { longestMarker, readMarker, type StepMarker } from './extract.ts'

/**
 * Holds back what a repair might replace: a comment that may become a marker, and everything from an invalid marker on.
 * Nothing can fail here, since a marker may always follow.
 */
export class StepMarkerStream implements IncrementalCheck<never> {
  #length = 0
  /** The text from `<` on, while it may become a marker. */
  #open: string | undefined
  /** The text of the paragraph that is open. */
  readonly #kept = new KeptText()
  readonly #inlineCode = new InlineCodeWatch(this.#kept)
  #linesRead = 0
  /** Markers whose paragraph has not ended yet: whether they are in code is unknown. */
  #undecided: StepMarker[] = []
  /** How many of them are known to be valid, from the first on. */
  #valid = 0
  /** The first invalid marker. */
  #invalid: StepMarker | undefined
  /** The same object every time: there may be one for every few characters. */
  readonly #progress = { safe: 0 }

  push(chunk: string, reader: AnswerOutline): Progress<never> {
    this.#scan(chunk)
    this.#kept.push(chunk)
    if (reader.linesRead !== this.#linesRead) this.#decide(reader)
    this.#progress.safe = this.#safe()
    return this.#progress
  }

  #scan(chunk: string): void {
    let from = 0
    while (from < chunk.length) {
      if (this.#open === undefined) {
        const start = chunk.indexOf('<', from)
        if (start < 0) break
        from = start
        this.#open = ''
      }
      from = this.#extend(this.#open, chunk, from)
    }
    this.#length += chunk.length
  }

  /** Adds to the open text what is needed to decide it, and returns where to go on. */
  #extend(open: string, chunk: string, from: number): number {
    const text = open + chunk.slice(from, from + longestMarker - open.length)
    const start = this.#length + from - open.length
    const found = readMarker(text, start)
    if (found === 'open') {
      this.#open = text
      return chunk.length
    }
    this.#open = undefined
    if (found !== undefined) {
      this.#undecided.push(found)
      return found.span.end - this.#length
    }
    // The open text was a proper prefix of a marker, so no other one can start in it after its first character.
    return Math.max(from, start + 1 - this.#length)
  }

  #decide(reader: AnswerOutline): void {
    this.#linesRead = reader.linesRead
    const { closed } = reader
    let decided = 0
    for (const marker of this.#undecided) {
      const { start, end } = marker.span
      if (end > closed) break
      decided++
      if (start < reader.bodyStart || reader.inFence(start) || this.#inlineCode.holds(start, reader)) continue
      // It stays, also where a valid one follows: shown without that one, it would count again when a retry goes on from there.
      if (!marker.step) this.#invalid ??= marker
    }
    if (decided > 0) this.#undecided = this.#undecided.slice(decided)
    this.#valid = Math.max(0, this.#valid - decided)
    this.#kept.dropTo(closed)
  }

  #safe(): number {
    if (this.#invalid) return this.#invalid.span.start
    while (this.#undecided[this.#valid]?.step) this.#valid++
    return this.#undecided[this.#valid]?.span.start ?? this.#length - (this.#open?.length ?? 0)
  }
}
