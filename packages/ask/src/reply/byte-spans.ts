import type { TextSpan } from '@stickler/core'

/** Converts spans in text order from UTF-16 offsets to offsets in UTF-8, in one pass; a lone surrogate counts as U+FFFD does. */
export function byteSpans(text: string, spans: readonly TextSpan[]): TextSpan[] {
  const counter = new ByteCounter(text)
  return spans.map(({ start, end }) => ({ start: counter.at(start), end: counter.at(end) }))
}

/** Counts bytes up to offsets that never fall. */
class ByteCounter {
  readonly #text: string
  #offset = 0
  #bytes = 0

  constructor(text: string) {
    this.#text = text
  }

  at(offset: number): number {
    const end = Math.min(offset, this.#text.length)
    while (this.#offset < end) {
      const code = this.#text.codePointAt(this.#offset) ?? 0
      this.#bytes += utf8Width(code)
      this.#offset += code > 0xffff ? 2 : 1
    }
    return this.#bytes
  }
}

/** How many bytes a code point takes in UTF-8. */
function utf8Width(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
