/** A word without what people and models write differently: case, separators between letters, quotes around, a final mark. */
export function fold(word: string): string {
  return (
    word
      .slice(0, 200)
      .normalize('NFC')
      .trim()
      // backtracks: the word has at most 200 characters
      .replace(/^["'`]+|["'`]+$/g, '')
      .replace(/[.!,;:]$/, '')
      .toLowerCase()
      .replace(/(?<=\p{L})[\s_./-](?=[\p{L}\p{N}])|(?<=\p{N})[\s_./-](?=\p{L})/gu, '')
  )
}

/** The only candidate that is the same word but for case and punctuation. */
export function sameWord<Candidate>(
  word: string,
  candidates: readonly Candidate[],
  textOf: (candidate: Candidate) => string,
): Candidate | undefined {
  const wanted = fold(word)
  const same = candidates.filter((candidate) => fold(textOf(candidate)) === wanted)
  return wanted !== '' && same.length === 1 ? same[0] : undefined
}

/** Longer words are not compared letter by letter. */
const longest = 64

/**
 * The only candidate that differs by a typo: one letter in five, but not the first, so neither `include` for `exclude` nor `mount` for `amount`.
 * Short words are often other words: of five letters one is missing, doubled or swapped, so not `prize` for `price`, and of four two are swapped or the last is missing, so neither `hot` nor `cost` for `host`.
 */
export function similarWord<Candidate>(
  word: string,
  candidates: readonly Candidate[],
  textOf: (candidate: Candidate) => string,
): Candidate | undefined {
  const wanted = fold(word)
  const near = candidates.filter((candidate) => {
    const other = fold(textOf(candidate))
    if (wanted.length > longest || other.length > longest) return false
    const length = Math.max(wanted.length, other.length)
    if (wanted[0] !== other[0] || (length <= 5 && !isSlip(wanted, other))) return false
    const isShort = length === 4 && (wanted.length === other.length || other.startsWith(wanted) || wanted.startsWith(other))
    const allowed = isShort ? 1 : Math.floor(length / 5)
    return Math.abs(wanted.length - other.length) <= allowed && slips(wanted, other, allowed) <= allowed
  })
  return near.length === 1 ? near[0] : undefined
}

/** Whether words of letters differ in their number or order. */
function isSlip(word: string, other: string): boolean {
  const sorted = (one: string): string => [...one].sort().join('')
  return /^\p{L}+$/u.test(word + other) && (word.length !== other.length || sorted(word) === sorted(other))
}

/** Letters to insert, drop, change or swap; anything above `limit` when there are more. */
function slips(a: string, b: string, limit: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    if (Math.min(...row) > limit) return limit + 1
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
