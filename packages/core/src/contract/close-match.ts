type Points = readonly number[]

/** Strings of this length and more have popular characters, which do not start a match. */
const popularFrom = 200

interface Scored {
  readonly text: string
  readonly points: Points
  /** The similarity, or while that is unknown a bound that it cannot exceed. */
  score: number
}

/** The at most `n` candidates most like `word`, best first: what Python's `difflib.get_close_matches` answers. */
export function closeMatches(word: string, candidates: Iterable<string>, n = 3, cutoff = 0.6): string[] {
  const matcher = new Matcher(toPoints(word))
  const possible: Scored[] = []
  for (const text of candidates) {
    // A text has between half as many and as many characters as UTF-16 units: most of another length need not even be split.
    const nearest = Math.max(text.length / 2, Math.min(text.length, matcher.length))
    if (lengthBound(nearest, matcher.length) < cutoff) continue
    const points = toPoints(text)
    const score = lengthBound(points.length, matcher.length) < cutoff ? 0 : matcher.upperBound(points)
    if (score >= cutoff) possible.push({ text, points, score })
  }
  possible.sort(descending)
  const best: Scored[] = []
  for (const candidate of possible) {
    const worst = best[n - 1]
    // The bounds only fall from here, so nothing that follows can be better.
    if (worst && candidate.score < worst.score) break
    candidate.score = matcher.ratio(candidate.points, Math.max(cutoff, worst?.score ?? 0))
    if (candidate.score < cutoff) continue
    best.push(candidate)
    best.sort(descending)
    best.length = Math.min(best.length, n)
  }
  return best.map(({ text }) => text)
}

/** By score, then by text, in the order of code points: the order of Python's tuples. */
function descending(a: Scored, b: Scored): number {
  return b.score - a.score || comparePoints(b.points, a.points)
}

function comparePoints(a: Points, b: Points): number {
  const shared = Math.min(a.length, b.length)
  for (let at = 0; at < shared; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function toPoints(text: string): Points {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

function ratioOf(matches: number, length: number): number {
  return length === 0 ? 1 : (2 * matches) / length
}

function lengthBound(a: number, b: number): number {
  return ratioOf(Math.min(a, b), a + b)
}

/** How long the matches inside a part can be at most. */
function room({ from, to, low, high }: Part): number {
  return Math.min(to - from, high - low)
}

/** Compares texts with one word, as `difflib.SequenceMatcher` does with the word as its second sequence. */
class Matcher {
  readonly length: number
  readonly #word: Points
  readonly #counts = new Map<number, number>()
  /** The positions of each character in the word, without the popular ones. */
  readonly #places = new Map<number, number[]>()

  readonly #rows: readonly [Int32Array, Int32Array]

  constructor(word: Points) {
    this.#word = word
    this.#rows = [new Int32Array(word.length), new Int32Array(word.length)]
    this.length = word.length
    word.forEach((point, at) => {
      this.#counts.set(point, (this.#counts.get(point) ?? 0) + 1)
      const places = this.#places.get(point)
      if (places) places.push(at)
      else this.#places.set(point, [at])
    })
    const often = Math.floor(word.length / 100) + 1
    if (word.length < popularFrom) return
    for (const [point, places] of this.#places) if (places.length > often) this.#places.delete(point)
  }

  /** The similarity when the order of characters is ignored. */
  upperBound(text: Points): number {
    const left = new Map<number, number>()
    let matches = 0
    for (const point of text) {
      const count = left.get(point) ?? this.#counts.get(point) ?? 0
      left.set(point, count - 1)
      if (count > 0) matches++
    }
    return ratioOf(matches, text.length + this.length)
  }

  /** Twice the length of all matching blocks by the length of both; less than `least` when it cannot be more. */
  ratio(text: Points, least: number): number {
    const length = text.length + this.length
    const open: Part[] = [{ from: 0, to: text.length, low: 0, high: this.length }]
    let matches = 0
    let possible = Math.min(text.length, this.length)
    for (let part = open.pop(); part; part = open.pop()) {
      const { at, place, size } = this.#longestMatch(text, part)
      const before: Part = { from: part.from, to: at, low: part.low, high: place }
      const behind: Part = { from: at + size, to: part.to, low: place + size, high: part.high }
      matches += size
      possible += (size > 0 ? size + room(before) + room(behind) : 0) - room(part)
      if (ratioOf(possible, length) < least) return 0
      if (size === 0) continue
      if (room(before) > 0) open.push(before)
      if (room(behind) > 0) open.push(behind)
    }
    return ratioOf(matches, length)
  }

  #longestMatch(text: Points, part: Part): Match {
    const { from, to, low, high } = part
    let best: Match = { at: from, place: low, size: 0 }
    // For each place in the word, how long the match is that ends there; of the character before, and of this one.
    let [last, row] = this.#rows
    let touched: readonly number[] = []
    for (let at = from; at < to; at++) {
      const places = this.#places.get(text[at] ?? -1) ?? []
      for (const place of places) {
        if (place < low) continue
        if (place >= high) break
        const size = (place > low ? (last[place - 1] ?? 0) : 0) + 1
        row[place] = size
        if (size > best.size) best = { at: at - size + 1, place: place - size + 1, size }
      }
      for (const place of touched) last[place] = 0
      touched = places
      ;[last, row] = [row, last]
    }
    for (const place of touched) last[place] = 0
    return this.#extend(text, best, part)
  }

  /** Popular characters do not start a match, but extend one that they are next to. */
  #extend(text: Points, { at, place, size }: Match, { from, to, low, high }: Part): Match {
    let before = 0
    while (at - before > from && place - before > low && text[at - before - 1] === this.#word[place - before - 1]) before++
    let end = size
    while (at + end < to && place + end < high && text[at + end] === this.#word[place + end]) end++
    return { at: at - before, place: place - before, size: end + before }
  }
}

interface Part {
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
}

interface Match {
  readonly at: number
  readonly place: number
  readonly size: number
}
