/**
 * Whether a text has more bytes in UTF-8; they are counted only where the number of characters does
 * not decide.
 */
export function isLarger(source: string, maxBytes: number): boolean {
  return source.length > maxBytes || (source.length * 3 > maxBytes && Buffer.byteLength(source) > maxBytes)
}
