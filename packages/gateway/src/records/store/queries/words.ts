const longestWord = 64

/** The words of a text, each once: letters and digits without case and accents. Everything else only separates them, in texts and in searches. */
export function wordsOf(text: string, most: number): readonly string[] {
  const plain = text.normalize('NFKD').toLowerCase()
  const words = new Set<string>()
  for (const [word] of plain.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const kept = word.replaceAll(/\p{M}/gu, '').slice(0, longestWord)
    if (kept !== '') words.add(kept)
    if (words.size >= most) break
  }
  return [...words]
}
