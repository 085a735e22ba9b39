import type { TextSpan } from '../../answer/span.ts'
import { detectors, type SensitiveKind } from './kinds.ts'

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

const ignorable = /\p{Default_Ignorable_Code_Point}/u
const ignorables = /\p{Default_Ignorable_Code_Point}+/gu

/** Finds what is sensitive in a text, in text order and without overlaps; characters without width hide nothing. */
export class SensitiveFinder {
  readonly #kinds: readonly SensitiveKind[]
  readonly #allowed: ReadonlySet<string>

  constructor({ kinds, allowed }: Search) {
    this.#kinds = kinds
    this.#allowed = new Set(allowed.map(comparable))
  }

  /** What the text holds from an offset on; what is before it is only context. */
  find(text: string, from = 0): SensitivePlace[] {
    const { plain, toRaw, toPlain } = plainText(text)
    const places = this.#kinds.flatMap((kind) =>
      Array.from(detectors[kind].find(plain, toPlain(from)), ({ start, end }) => ({
        kind,
        span: { start: toRaw(start), end: toRaw(end - 1) + 1 },
        value: plain.slice(start, end),
      })),
    )
    places.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end)
    const found: { readonly kind: SensitiveKind; span: TextSpan }[] = []
    for (const { kind, span, value } of places) {
      if (span.start < from || this.#isAllowed(value)) continue
      const last = found.at(-1)
      // What overlaps goes together: nothing of either may be left.
      if (last === undefined || span.start >= last.span.end) found.push({ kind, span })
      else if (span.end > last.span.end) last.span = { start: last.span.start, end: span.end }
    }
    return found
  }

  /** From where on the end of the text may be the start or a part of something sensitive. */
  open(text: string, from: number): number {
    const { plain, toRaw, toPlain } = plainText(text)
    const start = toPlain(from)
    let open = plain.length
    for (const kind of this.#kinds) open = Math.min(open, detectors[kind].open(plain, start))
    return open >= plain.length ? text.length : Math.max(from, toRaw(open))
  }

  #isAllowed(value: string): boolean {
    if (this.#allowed.size === 0) return false
    const domain = value.lastIndexOf('@')
    return this.#allowed.has(comparable(value)) || (domain >= 0 && this.#allowed.has(comparable(value.slice(domain))))
  }
}

interface PlainText {
  readonly plain: string
  readonly toRaw: (offset: number) => number
  readonly toPlain: (offset: number) => number
}

const same = (offset: number): number => offset

/** Spaces and hyphens that do not break a line, and others that look the same. */
const lookAlike = /[\u00a0\u2007\u2009\u202f\u2010-\u2012]/
const lookAlikes = new RegExp(lookAlike.source, 'g')

/** The text with usual spaces and hyphens and without characters that have no width, and where its characters are. */
function plainText(given: string): PlainText {
  const text = lookAlike.test(given) ? given.replace(lookAlikes, (one) => (one >= '\u2010' && one <= '\u2012' ? '-' : ' ')) : given
  if (!ignorable.test(text)) return { plain: text, toRaw: same, toPlain: same }
  const offsets: number[] = []
  let plain = ''
  let at = 0
  const keep = (end: number): void => {
    plain += text.slice(at, end)
    for (; at < end; at++) offsets.push(at)
  }
  for (const { 0: skipped, index } of text.matchAll(ignorables)) {
    keep(index)
    at = index + skipped.length
  }
  keep(text.length)
  return {
    plain,
    toRaw: (offset) => offsets[offset] ?? text.length,
    toPlain: (offset) => {
      let low = 0
      let high = offsets.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((offsets[middle] as number) < offset) low = middle + 1
        else high = middle
      }
      return low
    },
  }
}

/** Spaces, signs between digits and case do not tell values apart. */
function comparable(value: string): string {
  return value.toLowerCase().replace(/[\s()/-]/g, '')
}
