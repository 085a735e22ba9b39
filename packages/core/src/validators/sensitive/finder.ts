import type { TextSpan } from '../../answer/span.ts'
import { detectors, type SensitiveKind } from './kinds.ts'
import { type Before, nothing, type PlainText, readPlain, wholeLength } from './plain-text.ts'

/** Something sensitive, and where it is. */
export interface SensitivePlace {
  readonly kind: SensitiveKind
  readonly span: TextSpan
}

/** Kinds of data to look for. */
export interface Search {
  readonly kinds: readonly SensitiveKind[]
  /** Values that may be said. */
  readonly allowed: readonly string[]
}

/** What is known of a text to which more may be added. */
export interface SearchedText {
  readonly places: readonly SensitivePlace[]
  /** From where on the end of the text may be the start or a part of something sensitive. */
  readonly open: number
  /** What is before that. */
  readonly before: Before
}

/** So much of what was read before tells whether something begins: the characters before an escape, and the address before a name. */
const mostWritten = 16
const mostShown = 80

/** Finds what is sensitive in a text, in text order and without overlaps; characters without width hide nothing. */
export class SensitiveFinder {
  readonly #kinds: readonly SensitiveKind[]
  readonly #allowed: ReadonlySet<string>

  constructor({ kinds, allowed }: Search) {
    this.#kinds = kinds
    this.#allowed = new Set(allowed.map(comparable))
  }

  /** What a whole text holds. */
  find(text: string): SensitivePlace[] {
    return this.#placesIn(readPlain(text, text.length, nothing))
  }

  /** What the next part of a text holds that is certain whatever follows. */
  search(text: string, before: Before): SearchedText {
    const whole = wholeLength(text)
    const read = readPlain(text, whole, before)
    const { plain, from } = read
    let first = plain.length
    for (const kind of this.#kinds) first = Math.min(first, detectors[kind].open(plain, from))
    let open = first >= plain.length ? whole : Math.max(0, read.start(first))
    const places: SensitivePlace[] = []
    for (const place of this.#placesIn(read)) {
      if (place.span.end > open) {
        open = Math.min(open, place.span.start)
        break
      }
      places.push(place)
    }
    const end = open === whole ? plain.length : read.offsetOf(open)
    const written = open < mostWritten ? (before.written + text.slice(0, open)).slice(-mostWritten) : text.slice(open - mostWritten, open)
    return { places, open, before: { written, shown: plain.slice(Math.max(0, end - mostShown), end) } }
  }

  #placesIn({ plain, from, start, end }: PlainText): SensitivePlace[] {
    const places = this.#kinds.flatMap((kind) =>
      Array.from(detectors[kind].find(plain, from), (span) => ({
        kind,
        span: { start: start(span.start), end: end(span.end) },
        value: plain.slice(span.start, span.end),
      })),
    )
    if (places.length === 0) return places
    places.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
    const found: { readonly kind: SensitiveKind; span: TextSpan }[] = []
    for (const { kind, span, value } of places) {
      if (span.start < 0 || this.#isAllowed(value)) continue
      const last = found.at(-1)
      // What overlaps goes together: nothing of either may be left.
      if (last === undefined || span.start >= last.span.end) found.push({ kind, span })
      else if (span.end > last.span.end) last.span = { start: last.span.start, end: span.end }
    }
    return found
  }

  #isAllowed(value: string): boolean {
    if (this.#allowed.size === 0) return false
    const domain = value.lastIndexOf('@')
    return this.#allowed.has(comparable(value)) || (domain >= 0 && this.#allowed.has(comparable(value.slice(domain))))
  }
}

/** Spaces, signs between digits and case do not tell values apart. */
function comparable(value: string): string {
  return value.toLowerCase().replace(/[\s()/-]/g, '')
}
