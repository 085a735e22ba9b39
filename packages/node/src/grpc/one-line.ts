import { clamp } from '@stickler/core/internal'

/** Line breaks, control characters, and marks that turn the direction of text around. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** Foreign text as one short line without control characters. */
export function oneLine(text: unknown, limit: number): string {
  if (typeof text !== 'string') return ''
  // Text far beyond the limit is ignored.
  const start = text.slice(0, 4 * limit)
  return clamp(start.replace(unprintable, ' ').trim(), limit)
}
