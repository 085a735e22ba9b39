/** Whether a text has more bytes in UTF-8; they are counted only where characters do not tell. */
export function isLarger(source: string, maxBytes: number): boolean {
  return source.length > maxBytes || (source.length * 3 > maxBytes && Buffer.byteLength(source) > maxBytes)
}
