import type { TextSpan } from '../../answer/span.ts'
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
    const whole = most + text.slice(most).search(unfinished)
    const read = plainText(text.slice(0, whole))
    const start = read.offsetOf(from)
    let open = read.plain.length
    for (const kind of this.#kinds) open = Math.min(open, detectors[kind].open(read.plain, start))
    return open >= read.plain.length ? Math.max(from, whole) : Math.max(from, read.start(open))
  }

  #isAllowed(value: string): boolean {
    if (this.#allowed.size === 0) return false
    const domain = value.lastIndexOf('@')
    return this.#allowed.has(comparable(value)) || (domain >= 0 && this.#allowed.has(comparable(value.slice(domain))))
  }
}

/** Spaces and hyphens that do not break a line and others that look the same, characters without width, and escapes of JSON, also of JSON in its strings, of Markdown and of addresses. */
const written =
  // backtracks: from the first of several backslashes it reads at most 64
  /([\u00a0\u2007\u2009\u202f])|[\u2010-\u2012]|(\p{Default_Ignorable_Code_Point})|(?<!\\)(\\{1,64})(?:u([0-9a-fA-F]{4})|([/@_]))|%40/gu
// backtracks: from the first of several backslashes it reads at most 64
const isWritten = new RegExp(written.source, 'u')

/** The beginning of such an escape at the end of a text; it always matches. */
const unfinished = /(?:(?<!\\)\\{1,64}(?:u[0-9a-fA-F]{0,3})?|%4?)?$/
const longestEscape = 72

/** The text with usual spaces and hyphens, with its escapes read and without characters that have no width, and where its characters are. */
function plainText(text: string): RewrittenText {
  return new RewrittenText(text, isWritten.test(text) ? written : never, readWritten)
}

const never = /(?!)/g

function readWritten([all = '', space, ignorable, slashes, escaped, sign]: readonly (string | undefined)[]): string {
  if (space !== undefined) return ' '
  if (ignorable !== undefined) return ''
  if (slashes === undefined) return all === '%40' ? '@' : '-'
  const unit = sign ?? String.fromCharCode(Number.parseInt(escaped ?? '', 16))
  const plain = escaped !== undefined && isWritten.test(unit) ? readWritten(isWritten.exec(unit) ?? []) : unit
  // With every level of strings in strings their number doubles; any other number leaves some that are meant.
  return (slashes.length & (slashes.length - 1)) === 0 ? plain : `\\${plain}`
}

/** Spaces, signs between digits and case do not tell values apart. */
function comparable(value: string): string {
  return value.toLowerCase().replace(/[\s()/-]/g, '')
}
