/** The matches of a global pattern from an offset on; the text before it is only looked at as context. */
export function matchesFrom(pattern: RegExp, text: string, from: number): IterableIterator<RegExpExecArray> {
  pattern.lastIndex = from
  // It takes the offset over into a pattern of its own.
  const found = text.matchAll(pattern)
  pattern.lastIndex = 0
  return found
}
