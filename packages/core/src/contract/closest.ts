/** The candidate most like `word`, or undefined when none is alike enough to be what was meant. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(word)
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const folded = fold(candidate)
    // A third of the letters may differ; a length that differs more cannot qualify.
    const allowed = Math.floor(Math.max(wanted.length, folded.length) / 3)
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

function fold(word: string): string {
  return word
    .slice(0, longestCompared)
    .toLowerCase()
    .replace(/[\s_-]/g, '')
}

/** Letters to insert, drop, change or swap to get from one word to the other; undefined when more than `limit`. */
function editDistance(a: string, b: string, limit: number): number | undefined {
  if (limit < 0) return undefined
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > limit) return undefined
    beforeLast = last
    last = row
  }
  const distance = last[b.length] ?? 0
  return distance <= limit ? distance : undefined
}
