import type { TextSpan } from '../../answer/span.ts'
import { countDigits, type Detector, lookBehind } from './detector.ts'
import { detectors, type SensitiveKind } from './kinds.ts'
import { type Before, nothing, type PlainText, readPlain, wholeLength } from './plain-text.ts'
import { KnownValues, numbersIn } from './values.ts'

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
  /** Whether values that stand for real ones may be said. */
  readonly allowsPlaceholders?: boolean
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

/** Finds what is sensitive in a text, in text order and without overlaps; characters without width hide nothing. */
export class SensitiveFinder {
  readonly #kinds: readonly SensitiveKind[]
  /** So many digits are enough for each of them. */
  readonly #mostDigits: number
  /** How each kind looks for what is open; several do it in the same way. */
  readonly #opens: readonly Detector['open'][]
  readonly #allowed: readonly string[]
  readonly #known: KnownValues
  readonly #allowsPlaceholders: boolean

  constructor({ kinds, allowed, allowsPlaceholders = true }: Search) {
    this.#kinds = kinds
    this.#mostDigits = Math.max(...kinds.map((kind) => detectors[kind].digits))
    this.#opens = [...new Set(kinds.map((kind) => detectors[kind].open))]
    this.#allowed = allowed
    this.#known = new KnownValues(allowed)
    this.#allowsPlaceholders = allowsPlaceholders
  }

  /** One that allows what a text has too, however it is written there. */
  allowing(text: string): SensitiveFinder {
    const readings = distinct(readPlain(text, text.length, nothing))
    const said = readings.flatMap(({ plain, from }) => [
      ...numbersIn(plain),
      ...this.#kinds.flatMap((kind) => Array.from(detectors[kind].find(plain, from), ({ start, end }) => plain.slice(start, end))),
    ])
    const allowed = [...this.#allowed, ...said]
    return said.length === 0 ? this : new SensitiveFinder({ kinds: this.#kinds, allowed, allowsPlaceholders: this.#allowsPlaceholders })
  }

  /** What a text holds that ends there. */
  find(text: string, before = nothing): SensitivePlace[] {
    return joinLinks(joined(this.#spansIn(distinct(readPlain(text, text.length, before)))), text)
  }

  /** What the next part of a text holds that is certain whatever follows. */
  search(text: string, before: Before): SearchedText {
    const whole = wholeLength(text)
    const readings = readPlain(text, whole, before)
    let open = whole
    const different = distinct(readings)
    for (const { plain, from, start } of different) {
      let first = plain.length
      for (const openIn of this.#opens) {
        first = Math.min(first, openIn(plain, from))
        if (first <= from) break
      }
      if (first < plain.length) open = Math.min(open, Math.max(0, start(first)))
    }
    // Nothing that is found could be reported.
    if (open === 0) return { places: [], open, before }
    const spans = this.#spansIn(different)
    if (spans.length === 0) return { places: [], open: bracketed(text, open), before: endOf(text, bracketed(text, open), before, readings) }
    // From the last one on: nothing is cut in two, and neither is what it overlaps with.
    for (const { span } of spans.toReversed()) if (span.start < open && span.end > open) open = span.start
    const found = joined(spans)
    for (const { span } of found) if (span.start <= open && isLinkOpen(text, span)) open = span.start
    open = bracketed(text, open)
    const places = joinLinks(found, text).filter(({ span }) => span.end <= open)
    return { places, open, before: endOf(text, open, before, readings) }
  }

  /** What is before the text behind one that holds nothing. */
  skip(text: string, before: Before): Before {
    return endOf(text, text.length, before, readPlain(text, text.length, before))
  }

  /** What each reading of a text has, in text order. */
  #spansIn(readings: readonly PlainText[]): readonly FoundSpan[] {
    const spans: FoundSpan[] = []
    for (const reading of readings) {
      const { plain, from } = reading
      const digits = countDigits(plain, from, this.#mostDigits)
      for (const kind of this.#kinds) {
        const detector = detectors[kind]
        if (digits < detector.digits) continue
        for (const found of detector.find(plain, from)) {
          const span = { start: reading.start(found.start), end: reading.end(found.end) }
          if (span.start < 0) continue
          const isAllowed = (found.isPlaceholder && this.#allowsPlaceholders) || this.#known.has(plain.slice(found.start, found.end))
          spans.push({ kind, span, isAllowed, isShown: reading === readings[0] })
        }
      }
    }
    return spans.length < 2 ? spans : spans.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
  }
}

/** Readings that differ, in their order. */
function distinct(readings: readonly PlainText[]): readonly PlainText[] {
  return readings.filter((reading, at) => at === 0 || (reading !== readings[0] && readings.indexOf(reading) === at))
}

/** The bracket of a link goes with the value in it. */
function bracketed(text: string, open: number): number {
  return open > 0 && text.charCodeAt(open - 1) === 91 ? open - 1 : open
}

/** The end of a text up to an offset. */
function endOf(text: string, open: number, before: Before, readings: readonly PlainText[]): Before {
  const written = open < mostWritten ? (before.written + text.slice(0, open)).slice(-mostWritten) : text.slice(open - mostWritten, open)
  let last: PlainText | undefined
  let shown = ''
  const ends = readings.map((reading) => {
    if (reading === last) return shown
    last = reading
    const end = reading.offsetOf(open)
    shown = reading.plain.slice(Math.max(0, end - lookBehind), end)
    return shown
  })
  return { written, readings: ends }
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

/** Between a value that is the text of a link and the same value as its address. */
const middle = /^\]\(<?(?:mailto:|tel:|sms:)?$/
/** Behind the address. */
const ending = /^(?:\?[^\s()<>]{0,120})?>?\)/
/** The longest address, with what is around it. */
const longestTarget = 480

/** Whether more text may make a value the text of a link that holds another value. */
function isLinkOpen(text: string, { start, end }: TextSpan): boolean {
  if (text[start - 1] !== '[' || text.length - end > longestTarget) return false
  // backtracks: at most 480 characters
  return /^\](?:\([^\s()]*)?$/.test(text.slice(end))
}

/** The places with a link of a value as one: `[a@b.com](mailto:a@b.com)`. */
function joinLinks<Place extends { readonly span: TextSpan }>(places: readonly Place[], text: string): Place[] {
  const joined: Place[] = []
  for (const place of places) {
    const last = joined.at(-1)
    const { start, end } = place.span
    const tail = last && text[last.span.start - 1] === '[' && start - last.span.end < 12 && middle.test(text.slice(last.span.end, start))
    const behind = tail ? ending.exec(text.slice(end, end + 128))?.[0] : undefined
    if (last === undefined || behind === undefined) joined.push(place)
    else joined[joined.length - 1] = { ...last, span: { start: last.span.start - 1, end: end + behind.length } }
  }
  return joined
}
