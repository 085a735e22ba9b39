const k1 = 1.2
const b = 0.75
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Okapi BM25 as it is usually written, with the statistics of all texts: a peer that knows what one request cannot. */
export function bm25(texts) {
  const documents = [...new Set(texts)].map(wordsOf)
  const mean = documents.reduce((sum, words) => sum + words.length, 0) / documents.length
  const holding = new Map()
  for (const words of documents) for (const word of new Set(words)) holding.set(word, (holding.get(word) ?? 0) + 1)
  const idf = (word) => {
    const count = holding.get(word) ?? 0
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5))
  }
  return (question, text) => {
    const words = wordsOf(text)
    const counts = new Map()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    let score = 0
    for (const word of new Set(wordsOf(question))) {
      const count = counts.get(word) ?? 0
      score += (idf(word) * count * (k1 + 1)) / (count + k1 * (1 - b + (b * words.length) / mean))
    }
    return score
  }
}
