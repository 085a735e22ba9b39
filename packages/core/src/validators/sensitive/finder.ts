import type { TextSpan } from '../../answer/span.ts'
import { readReference } from '../shared/character-reference.ts'
import { RewrittenText } from '../shared/rewritten-text.ts'
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
    const read = plainText(text)
    const { plain } = read
    const places = this.#kinds.flatMap((kind) =>
      Array.from(detectors[kind].find(plain, read.offsetOf(from)), ({ start, end }) => ({
        kind,
        span: { start: read.start(start), end: read.end(end) },
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
    const most = Math.max(0, text.length - longestEscape)
    const tail = text.slice(most)
    const whole = mayBeWritten.test(tail) ? most + tail.search(unfinished) : text.length
    const read = plainText(text.slice(0, whole))
    const start = read.offsetOf(from)
    let open = read.plain.length
    for (const kind of this.#kinds) open = Math.min(open, detectors[kind].open(read.plain, start))
    return open >= read.plain.length ? Math.max(from, whole) : Math.max(from, read.start(open))
  }

  /** Where so many characters begin that are shown before an offset. */
  before(text: string, offset: number, count: number): number {
    const least = Math.max(0, offset - count * longestEscape)
    const read = plainText(text.slice(least, offset))
    return least + read.start(Math.max(0, read.plain.length - count))
  }

  #isAllowed(value: string): boolean {
    if (this.#allowed.size === 0) return false
    const domain = value.lastIndexOf('@')
    return this.#allowed.has(comparable(value)) || (domain >= 0 && this.#allowed.has(comparable(value.slice(domain))))
  }
}

/**
 * Spaces and hyphens that do not break a line and others that look the same, characters without width, escapes of JSON, also of JSON in its strings,
 * of Markdown and of addresses, character references, and tags and signs of emphasis that a renderer does not show.
 */
const written =
  // backtracks: from the first of several backslashes it reads at most 64, and of a reference at most 64
  /([\u00a0\u2007\u2009\u202f\u2010-\u2012]|\p{Default_Ignorable_Code_Point})|(?<!\\)(\\{1,64})(?:u([0-9a-fA-F]{4})|([/@_.+()%#-]))|%(40|2[bdeBDE]|5[fF])|&(?:#[xX]([0-9a-fA-F]{1,64})|#([0-9]{1,64})|([a-zA-Z][a-zA-Z0-9]{1,31})(?=;));?|<(?:\/?([a-zA-Z]{1,6})[ \n]{0,8}\/?|!--[ \n]{0,8}--)>|(?<=[\p{L}@.])(?:\*{1,3}|~~)(?=[\p{L}@.])/gu
/** What each of them has, looked for first since nearly all text has none. */
const mayBeWritten = /[&<\\%*~\u0080-\uffff]/

/** The beginning of such a part at the end of a text; it always matches. */
const unfinished =
  // backtracks: at most 72 characters
  /(?:(?<!\\)\\{1,64}(?:u[0-9a-fA-F]{0,3})?|%[245]?|&(?:#(?:[xX][0-9a-fA-F]{0,64}|[0-9]{0,64})|[a-zA-Z][a-zA-Z0-9]{0,31})?|<(?:\/?[a-zA-Z]{0,6}[ \n]{0,8}\/?|!-{0,2}|!--[ \n]{0,8}-{0,2})|\*{1,3}|~{1,2})?$/
const longestEscape = 72

/** Tags that change how text looks, and not what it says. */
const inlineTags: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup tt u var wbr'.split(' '),
)

/** The text as a renderer shows it, with usual spaces and hyphens and without characters that have no width, and where its characters are. */
function plainText(text: string): RewrittenText {
  return new RewrittenText(text, mayBeWritten.test(text) ? written : never, readWritten)
}

const never = /(?!)/g

function readWritten(match: readonly (string | undefined)[]): string | undefined {
  const [all = '', odd, slashes, escaped, sign, percent, hex, decimal, name, tag] = match
  if (odd !== undefined) return usual(odd)
  if (percent !== undefined) return String.fromCharCode(Number.parseInt(percent, 16))
  if (all.startsWith('&')) {
    const read = readReference([all, hex, decimal, name])
    return read === undefined ? undefined : usual(read)
  }
  if (slashes === undefined) return tag === undefined || inlineTags.has(tag.toLowerCase()) ? '' : undefined
  const plain = sign ?? usual(String.fromCharCode(Number.parseInt(escaped ?? '', 16)))
  // With every level of strings in strings their number doubles; any other number leaves some that are meant.
  return (slashes.length & (slashes.length - 1)) === 0 ? plain : `\\${plain}`
}

/** A character as it is usually written: those that look like a space or a hyphen as one, and nothing for those without width. */
function usual(character: string): string {
  if (character.charCodeAt(0) < 0x80) return character
  if (/^[\u00a0\u2007\u2009\u202f]$/.test(character)) return ' '
  if (/^[\u2010-\u2012]$/.test(character)) return '-'
  return /^\p{Default_Ignorable_Code_Point}$/u.test(character) ? '' : character
}

/** Spaces, signs between digits and case do not tell values apart. */
function comparable(value: string): string {
  return value.toLowerCase().replace(/[\s()/-]/g, '')
}
