import type { AnswerReader } from '../../answer/reader.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'
import { longestMarker, readMarker, type StepMarker } from './extract.ts'

/**
 * Holds back what a repair might replace: a comment that may become a marker, and from an invalid marker on,
 * until a valid one takes its place. Nothing can fail here, since a marker may always follow.
 */
export class StepMarkerStream implements IncrementalCheck<never> {
  #length = 0
  /** The text from `<` on, while it may become a marker. */
  #open: string | undefined
  /** Markers whose line is not read yet: whether they stand in a fence is unknown. */
  readonly #undecided: StepMarker[] = []
  /** The first invalid marker behind the last valid one. */
  #invalid: StepMarker | undefined
  /** The same object every time: there may be one for every few characters. */
  readonly #progress = { safe: 0 }

  push(chunk: string, reader: AnswerReader): Progress<never> {
    this.#scan(chunk)
    if (this.#undecided.length > 0) this.#decide(reader)
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
    // The open text was a proper prefix of a marker, so no other one can start in it behind its first character.
    return Math.max(from, start + 1 - this.#length)
  }

  #decide(reader: AnswerReader): void {
    while (this.#undecided[0] && this.#undecided[0].span.end <= reader.decided) {
      const marker = this.#undecided.shift() as StepMarker
      if (marker.span.start < reader.bodyStart || reader.inFence(marker.span.start)) continue
      // The first of several stays: once shown, it would count again when a retry goes on from there.
      this.#invalid = marker.step ? undefined : (this.#invalid ?? marker)
    }
  }

  #safe(): number {
    if (this.#invalid) return this.#invalid.span.start
    for (const { step, span } of this.#undecided) if (step === undefined) return span.start
    return this.#length - (this.#open?.length ?? 0)
  }
}
