/** The number of bytes of a text in UTF-8, counted without encoding it; a lone surrogate counts as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = 0
  for (let index = 0; index < text.length; index++) bytes += unitBytes(text, index)
  return bytes
}

/** The bytes that a UTF-16 unit adds; a pair counts 3 + 1, so that a text never has fewer than its beginning. */
function unitBytes(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  const closesPair = unit >= 0xdc00 && unit <= 0xdfff && isHighSurrogate(text.charCodeAt(index - 1))
  return closesPair ? 1 : 3
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
