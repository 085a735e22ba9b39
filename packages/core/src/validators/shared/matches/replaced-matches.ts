import { ReasoningSkipper } from '../../../answer/reasoning.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import type { IncrementalCheck, Progress } from '../../../contract/validator.ts'
import type { MatchSearch } from './limited-matches.ts'

/** Takes a match whose end is certain, with the text for its place. */
export type Replace = (span: TextSpan, replacement: string) => void

/** Searches that report what is to be replaced. */
type StartSearches = (replace: Replace, offset: number) => readonly (MatchSearch & { end(): void })[]

interface Match extends TextSpan {
  readonly replacement: string
}

/** The changes that replace matches in a whole text; the first one in the text wins over those that overlap it, the longer one from the same start. */
export function replaceMatches(text: string, bodyStart: number, rule: string, start: StartSearches): readonly Certificate[] {
  const chosen = new ChosenMatches(rule)
  for (const search of start((span, replacement) => chosen.add({ ...span, replacement }), bodyStart)) {
    search.push(text.slice(bodyStart))
    search.end()
  }
  return chosen.take(Number.POSITIVE_INFINITY, (from, to) => text.slice(from, to))
}

/** Replaces matches while the text comes: the same changes as in the whole text. */
export class ReplacedMatches implements IncrementalCheck<never> {
  readonly #searches: ReturnType<StartSearches>
  readonly #reasoning = new ReasoningSkipper()
  readonly #chosen: ChosenMatches
  /** The text that may still be replaced, and where it starts. */
  #kept = ''
  #from = 0
  #length = 0

  constructor(rule: string, start: StartSearches) {
    this.#chosen = new ChosenMatches(rule)
    this.#searches = start((span, replacement) => this.#chosen.add({ ...span, replacement }), 0)
  }

  push(chunk: string): Progress<never> {
    this.#length += chunk.length
    this.#kept += chunk
    const body = this.#reasoning.push(chunk)
    let open = this.#length
    for (const search of this.#searches) {
      search.skipTo(this.#length - body.length)
      search.push(body)
      open = Math.min(open, search.open)
    }
    const edits = this.#chosen.take(open, (from, to) => this.#kept.slice(from - this.#from, to - this.#from))
    // What overlaps a match that was taken is not replaced, so that its end is settled with it.
    const safe = Math.max(open, this.#chosen.end)
    this.#kept = this.#kept.slice(safe - this.#from)
    this.#from = safe
    return edits.length === 0 ? { safe } : { safe, edits }
  }
}

/** Matches of several searches, of which the first ones are taken without overlaps. */
class ChosenMatches {
  /** Where the last one that was taken ends. */
  end = 0
  readonly #rule: string
  #waiting: Match[] = []

  constructor(rule: string) {
    this.#rule = rule
  }

  add(match: Match): void {
    this.#waiting.push(match)
  }

  /** Takes the matches that start before an offset, where no further one can start. */
  take(open: number, textOf: (from: number, to: number) => string): readonly Certificate[] {
    if (this.#waiting.length === 0) return []
    const ready = this.#waiting.filter(({ start }) => start < open).sort((a, b) => a.start - b.start || b.end - a.end)
    this.#waiting = this.#waiting.filter(({ start }) => start >= open)
    const taken: Certificate[] = []
    for (const { start, end, replacement } of ready) {
      if (start < this.end) continue
      this.end = end
      taken.push({ rule: this.#rule, class: 'lossy', span: { start, end }, before: textOf(start, end), after: replacement })
    }
    return taken
  }
}
