/** The candidate most like `word`, or undefined when none is alike enough to be what was meant; of each `letters` letters one may differ. */
export function closest(word: string, candidates: Iterable<string>, letters = 3): string | undefined {
  const wanted = foldWord(word)
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const folded = foldWord(candidate)
    // A length that differs more cannot qualify.
    const allowed = Math.floor(Math.max(wanted.length, folded.length) / letters)
    if (Math.abs(wanted.length - folded.length) > allowed) continue
    const distance = editDistance(wanted, folded, Math.min(allowed, bestDistance - 1))
    if (distance !== undefined && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

const longestCompared = 256

/** A word without case and separators. */
export function foldWord(word: string): string {
  return word
    .slice(0, longestCompared)
    .toLowerCase()
    .replace(/[\s_-]/g, '')
}

/** Letters to insert, drop, change or swap to get from one word to the other; undefined when more than `limit`. */
function editDistance(a: string, b: string, limit: number): number | undefined {
  if (limit < 0 || letterDifference(a, b) > limit) return undefined
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    // Cells further than `limit` from the diagonal cannot be part of a short way.
    const from = Math.max(1, i - limit)
    const to = Math.min(b.length, i + limit)
    const row: number[] = new Array(b.length + 1).fill(limit + 1)
    if (i <= limit) row[0] = i
    let best = limit + 1
    for (let j = from; j <= to; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row[j] = cost
      best = Math.min(best, cost)
    }
    if (best > limit) return undefined
    beforeLast = last
    last = row
  }
  const distance = last[b.length] ?? 0
  return distance <= limit ? distance : undefined
}

/** How many letters one word has that the other lacks: never more than the edit distance, and cheap. */
function letterDifference(a: string, b: string): number {
  const counts = new Map<string, number>()
  for (const letter of a) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  for (const letter of b) counts.set(letter, (counts.get(letter) ?? 0) - 1)
  let more = 0
  let less = 0
  for (const count of counts.values()) {
    if (count > 0) more += count
    else less -= count
  }
  return Math.max(more, less)
}
