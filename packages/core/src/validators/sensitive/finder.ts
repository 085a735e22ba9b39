import type { TextSpan } from '../../answer/span.ts'
import { detectors, type SensitiveKind } from './kinds.ts'
import { type Before, nothing, type PlainText, readPlain, wholeLength } from './plain-text.ts'

/** Something sensitive, and where it is. */
export interface SensitivePlace {
  readonly kind: SensitiveKind
  readonly span: TextSpan
}

/** The same before it is decided what is reported. */
interface FoundSpan extends SensitivePlace {
  readonly isAllowed: boolean
  /** Whether it is so in the text as a renderer shows it. */
  readonly isShown: boolean
}

/** Kinds of data to look for. */
interface Search {
  readonly kinds: readonly SensitiveKind[]
  /** Values that may be said. */
  readonly allowed: readonly string[]
}

/** What is known of a text to which more may be added. */
interface SearchedText {
  readonly places: readonly SensitivePlace[]
  /** From where on the end of the text may be the start or a part of something sensitive. */
  readonly open: number
  /** What is before that. */
  readonly before: Before
}

/** This much of the earlier text decides whether something begins: the characters before an escape or the end of a link, and the address before a name. */
const mostWritten = 40
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
    return joined(this.#spansIn([...new Set(readPlain(text, text.length, nothing))]))
  }

  /** What the next part of a text holds that is certain whatever follows. */
  search(text: string, before: Before): SearchedText {
    const whole = wholeLength(text)
    const readings = readPlain(text, whole, before)
    let open = whole
    const different = [...new Set(readings)]
    for (const { plain, from, start } of different) {
      let first = plain.length
      for (const kind of this.#kinds) first = Math.min(first, detectors[kind].open(plain, from))
      if (first < plain.length) open = Math.min(open, Math.max(0, start(first)))
    }
    const spans = this.#spansIn(different)
    // From the last one on: nothing is cut in two, and neither is what it overlaps with.
    for (const { span } of spans.toReversed()) if (span.start < open && span.end > open) open = span.start
    const places = joined(spans).filter(({ span }) => span.end <= open)
    const written = open < mostWritten ? (before.written + text.slice(0, open)).slice(-mostWritten) : text.slice(open - mostWritten, open)
    const ends = different.map(({ plain, offsetOf }) => {
      const end = open === whole ? plain.length : offsetOf(open)
      return plain.slice(Math.max(0, end - mostShown), end)
    })
    return { places, open, before: { written, readings: readings.map((reading) => ends[different.indexOf(reading)] as string) } }
  }

  /** What each reading of a text has, in text order. */
  #spansIn(readings: readonly PlainText[]): FoundSpan[] {
    const spans = readings.flatMap(({ plain, from, start, end }, reading) =>
      this.#kinds.flatMap((kind) =>
        Array.from(detectors[kind].find(plain, from), (span) => ({
          kind,
          span: { start: start(span.start), end: end(span.end) },
          isAllowed: this.#isAllowed(plain.slice(span.start, span.end)),
          isShown: reading === 0,
        })),
      ),
    )
    return spans.filter(({ span }) => span.start >= 0).sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
  }

  #isAllowed(value: string): boolean {
    if (this.#allowed.size === 0) return false
    const domain = value.lastIndexOf('@')
    return this.#allowed.has(comparable(value)) || (domain >= 0 && this.#allowed.has(comparable(value.slice(domain))))
  }
}

/** What is to be reported, without overlaps. */
function joined(spans: readonly FoundSpan[]): SensitivePlace[] {
  const places: { readonly kind: SensitiveKind; span: TextSpan }[] = []
  let allowedEnd = 0
  for (const { kind, span, isAllowed, isShown } of spans) {
    if (isAllowed && isShown) allowedEnd = Math.max(allowedEnd, span.end)
    // A part of what is allowed as it is shown is allowed too.
    if (isAllowed || (!isShown && span.end <= allowedEnd)) continue
    const last = places.at(-1)
    // What overlaps goes together: nothing of either may be left.
    if (last === undefined || span.start >= last.span.end) places.push({ kind, span })
    else if (span.end > last.span.end) last.span = { start: last.span.start, end: span.end }
  }
  return places
}

/** Spaces, signs between digits and case do not tell values apart. */
function comparable(value: string): string {
  return value.toLowerCase().replace(/[\s()/-]/g, '')
}
