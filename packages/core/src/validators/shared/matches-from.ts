/** The matches of a global pattern from an offset on; the text before it is only looked at as context. */
export function matchesFrom(pattern: RegExp, text: string, from: number): IterableIterator<RegExpExecArray> {
  pattern.lastIndex = from
  // It takes the offset over into a pattern of its own.
  const found = text.matchAll(pattern)
  pattern.lastIndex = 0
  return found
}

/** The matches of a global pattern at every place where one begins, also inside another match. */
export function* startsFrom(pattern: RegExp, text: string, from: number): IterableIterator<RegExpExecArray> {
  for (let at = from; ; ) {
    // Set anew every time: others may use the pattern in between.
    pattern.lastIndex = at
    const found = pattern.exec(text)
    pattern.lastIndex = 0
    if (found === null) return
    yield found
    at = found.index + 1
  }
}
