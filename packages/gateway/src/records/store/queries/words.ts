import { createHash } from 'node:crypto'

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

/**
 * What the index has of words: for everybody, or for one key. A key has terms of its own, so that its searches read the entries
 * of its own runs only, and their time says nothing about those of others. A letter in front keeps words from being taken for terms.
 */
export function termsOf(words: readonly string[], key?: string): readonly string[] {
  const before = key === undefined ? 'a' : `k${createHash('sha256').update(key).digest('hex').slice(0, 16)}`
  return words.map((word) => `${before}${word}`)
}
