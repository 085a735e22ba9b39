/** Characters that are read at a time: a few milliseconds for the slowest set of checks. */
const sliceLength = 16_384

/** Whether a text is too long to be read at once while others wait. */
export function isLong(text: string): boolean {
  return text.length > sliceLength
}

/** Cuts a text into slices, never inside of a character. */
export function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = wholeCharacter(text, Math.min(text.length, start + sliceLength))
    yield text.slice(start, end)
    start = end
  }
}

/** The first offset from this one on that does not split a character. */
export function wholeCharacter(text: string, offset: number): number {
  const before = text.charCodeAt(offset - 1)
  return before >= 0xd800 && before <= 0xdbff && offset < text.length ? offset + 1 : offset
}
