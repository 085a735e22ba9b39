import type { TextSpan } from '@stickler/core'
import { utf8Length } from '@stickler/core/internal'
import { isDigit } from '@stickler/core/internal/validators'

const newline = 10
const openBracket = 91
const backslash = 92
const closeBracket = 93
const caret = 94
const backtick = 96

/** How far to look for the end of a body that is not a number. */
const longestBody = 16
const largestMarker = 0xffff_ffff
/** What is open and longer than this is a number. */
const longDigits = 64

/** A marker that was found: its number, or why it has none. */
export type FoundMarker =
  | { readonly span: TextSpan; readonly marker: number }
  | { readonly span: TextSpan; readonly marker?: undefined; readonly detail: string }

/** Finds markers as RedDB does, however the text is chunked. */
export class ReddbScanner {
  readonly #emit: (found: FoundMarker) => void
  #length = 0
  /** Text from a `[` on that may become a marker, in pieces: a number may be long. */
  #open: string[] = []
  #openLength = 0
  #inFence = false
  #inFenceLine = false
  /** Backticks at the head of the line so far; -1 after the head. */
  #headTicks = 0
  /** Whether an odd number of backslashes is right before. */
  #escaping = false

  constructor(emit: (found: FoundMarker) => void) {
    this.#emit = emit
  }

  /** Where the text that may become a marker starts; the end of the text when there is none. */
  get decided(): number {
    return this.#length - this.#openLength
  }

  /** Leaves out reasoning before the answer, which begins a line of its own after it. */
  skip(length: number): void {
    this.#length += length
    if (length > 0) this.#headTicks = 0
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    this.#length += chunk.length
    this.#open.push(chunk)
    this.#openLength += chunk.length
    // An open number that goes on is not read again with every piece.
    if (this.#openLength - chunk.length > longDigits && !/[^0-9]/.test(chunk)) return
    const text = this.#open.length === 1 ? chunk : this.#open.join('')
    this.#open = []
    this.#openLength = 0
    this.#scan(text, this.#length - text.length)
  }

  #scan(text: string, base: number): void {
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at)
      const isOpening = code === openBracket && !this.#escaping && !this.#inFence && !this.#inFenceLine
      this.#note(code)
      if (!isOpening) {
        at++
        continue
      }
      const found = readMarker(text, at, base)
      if (found === 'open') {
        this.#open = [text.slice(at)]
        this.#openLength = text.length - at
        return
      }
      at = found === undefined ? at + 1 : found.span.end - base
      if (found) this.#emit(found)
    }
  }

  /** Follows lines, fences and escapes. */
  #note(code: number): void {
    this.#escaping = code === backslash && !this.#escaping
    if (code === newline) {
      this.#headTicks = 0
      this.#inFenceLine = false
    } else if (this.#headTicks >= 0) {
      if (code === backtick) this.#headTicks++
      else if (this.#headTicks > 0 || (code !== 32 && code !== 9)) this.#headTicks = -1
      if (this.#headTicks === 3) {
        this.#headTicks = -1
        this.#inFence = !this.#inFence
        this.#inFenceLine = true
      }
    }
  }
}

/** Reads the marker at a `[`; `open` when more text could still make it one. */
function readMarker(text: string, at: number, base: number): FoundMarker | 'open' | undefined {
  if (at + 1 >= text.length) return 'open'
  if (text.charCodeAt(at + 1) !== caret) return undefined
  const start = at + 2
  let end = start
  while (isDigit(text.charCodeAt(end))) end++
  if (end >= text.length) return 'open'
  if (text.charCodeAt(end) === closeBracket) return readNumber(text.slice(start, end), base + at, base + end + 1)
  const close = findClose(text, start)
  if (typeof close !== 'number') return close
  return { span: { start: base + at, end: base + close + 1 }, detail: `expected digits inside [^…], got \`${text.slice(start, close)}\`` }
}

function readNumber(body: string, start: number, end: number): FoundMarker {
  const span = { start, end }
  if (body === '') return { span, detail: 'empty marker body' }
  if (body.startsWith('0')) return { span, detail: `marker must be a positive integer with no leading zero, got \`${body}\`` }
  if (body.length > 10 || Number(body) > largestMarker) return { span, detail: `marker value \`${body}\` exceeds u32::MAX` }
  return { span, marker: Number(body) }
}

/** The `]` that ends a body within so many bytes. A line break ends it too, except as its first byte, where RedDB does not look for one. */
function findClose(text: string, start: number): number | 'open' | undefined {
  let bytes = 0
  for (let at = start; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    if (code === closeBracket) return at
    if (code === newline && at > start) return undefined
    bytes += utf8Length(String.fromCodePoint(code))
    if (bytes > longestBody) return undefined
    at += code > 0xffff ? 2 : 1
  }
  return 'open'
}
