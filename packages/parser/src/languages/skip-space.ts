/** The offset of the next character that is not blank; the length of the source when there is none. */
export function skipSpace(source: string, offset: number): number {
  const space = /\s*/y
  space.lastIndex = offset
  return offset + (space.exec(source)?.[0].length ?? 0)
}

/** Where a line ends. */
export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** The offset after the next place where a text is; the length of the source when there is none. */
export function after(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from)
  return at < 0 ? text.length : at + wanted.length
}
