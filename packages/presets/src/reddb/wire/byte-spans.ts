import type { TextSpan } from '@stickler/core'
import { utf8Length } from '@stickler/core/internal'

/** Converts spans in text order from UTF-16 offsets to offsets in UTF-8, in one pass; a lone surrogate counts as U+FFFD does. */
export function byteSpans(text: string, spans: readonly TextSpan[]): TextSpan[] {
  let offset = 0
  let bytes = 0
  const bytesTo = (next: number): number => {
    bytes += utf8Length(text.slice(offset, next))
    offset = next
    return bytes
  }
  return spans.map(({ start, end }) => ({ start: bytesTo(start), end: bytesTo(end) }))
}
