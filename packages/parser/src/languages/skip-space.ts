/** The offset of the next character that is not blank; the length of the source when there is none. */
export function skipSpace(source: string, offset: number): number {
  const space = /\s*/y
  space.lastIndex = offset
  return offset + (space.exec(source)?.[0].length ?? 0)
}
