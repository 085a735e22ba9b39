import { isHighSurrogate, isLowSurrogate } from '../../answer/characters.ts'
import type { Certificate } from '../../contract/certificate.ts'

/** Maximum number of changes between two texts that are located exactly; beyond it, boundaries are found by the words around them. */
const mostChanges = 400
/** Numbers of characters on each side of a boundary to search, from most to least. */
const contexts = [48, 16, 6]
/** Minimum distance from the expected position of a boundary that is searched. */
const reach = 4096

/**
 * Splits a final text into the pieces that it was made from: unchanged text stays in its piece, and inserted text belongs to the piece before it.
 * Text removed at both ends by certificates is not searched: the rest may repeat it.
 */
export function distribute(given: readonly string[], final: string, repairs: readonly Certificate[] = []): readonly string[] {
  const pieces = withoutEnds(given, repairs)
  const before = pieces.join('')
  if (before === final || pieces.length === 0) return pieces
  const most = Math.min(before.length, final.length)
  let start = 0
  while (start < most && before.charCodeAt(start) === final.charCodeAt(start)) start++
  let same = 0
  while (same < most - start && before.charCodeAt(before.length - 1 - same) === final.charCodeAt(final.length - 1 - same)) same++
  const end = before.length - same
  const map = mapping(before.slice(start, end), final.slice(start, final.length - same))
  const owner = lastWithText(pieces)
  const values: string[] = []
  let from = 0
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    from += piece.length
    let to = piece === '' ? at : from < start ? from : from > end ? from + final.length - before.length : start + map(from - start)
    // After the last text, no other part can take it.
    if (index >= owner) to = final.length
    // Text inserted before all other text belongs to the first piece with text.
    to = Math.max(at, wholeCharacter(final, to))
    values.push(final.slice(at, to))
    at = to
  }
  return values
}

/** The rest of pieces after removals at both ends of the text. */
function withoutEnds(pieces: readonly string[], repairs: readonly Certificate[]): readonly string[] {
  const removals = repairs.filter(({ in: part, after }) => part === undefined && after === '')
  if (removals.length === 0) return pieces
  const text = pieces.join('')
  const isHere = ({ span, before }: Certificate): boolean => text.startsWith(before, span.start) && before.length === span.end - span.start
  let start = 0
  for (const removal of removals) if (removal.span.start === start && isHere(removal)) start = removal.span.end
  let end = text.length
  for (const removal of removals.toReversed()) {
    if (removal.span.start >= start && removal.span.end === end && isHere(removal)) end = removal.span.start
  }
  return between(pieces, start, end)
}

/** The rest of pieces if only the text between two offsets remains. */
function between(pieces: readonly string[], start: number, end: number): readonly string[] {
  let at = 0
  return pieces.map((piece) => {
    const from = at
    at += piece.length
    return piece.slice(Math.max(0, start - from), Math.max(0, end - from))
  })
}

/** Maps the boundaries of one text to another: a function of offsets, called in ascending order. */
function mapping(a: string, b: string): (offset: number) => number {
  if (a === '') return () => b.length
  if (b === '') return () => 0
  const exact = changesBetween(a, b)
  if (exact !== undefined) return (offset) => (offset >= a.length ? b.length : (exact[offset] ?? b.length))
  return byContext(a, b)
}

/** For each offset of `a` the offset of `b` with the fewest changes; undefined if there are too many. Myers' algorithm. */
function changesBetween(a: string, b: string): readonly number[] | undefined {
  const trails: Int32Array[] = []
  const width = 2 * mostChanges + 3
  const center = mostChanges + 1
  let reached = new Int32Array(width)
  for (let changes = 0; changes <= mostChanges; changes++) {
    const next = reached.slice()
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const down =
        diagonal === -changes ||
        (diagonal !== changes && (reached[center + diagonal - 1] as number) < (reached[center + diagonal + 1] as number))
      let x = down ? (reached[center + diagonal + 1] as number) : (reached[center + diagonal - 1] as number) + 1
      let y = x - diagonal
      while (x < a.length && y < b.length && a.charCodeAt(x) === b.charCodeAt(y)) {
        x++
        y++
      }
      next[center + diagonal] = x
      if (x < a.length || y < b.length) continue
      trails.push(reached)
      return offsetsAlong(trails, a.length, b.length, center)
    }
    trails.push(reached)
    reached = next
  }
  return undefined
}

/** Walks back over the changes. */
function offsetsAlong(trails: readonly Int32Array[], aLength: number, bLength: number, center: number): readonly number[] {
  const offsets = new Array<number>(aLength + 1)
  let x = aLength
  let y = bLength
  offsets[x] = y
  for (let changes = trails.length - 1; changes >= 0; changes--) {
    const reached = trails[changes] as Int32Array
    const diagonal = x - y
    const down =
      diagonal === -changes ||
      (diagonal !== changes && (reached[center + diagonal - 1] as number) < (reached[center + diagonal + 1] as number))
    const previous = down ? diagonal + 1 : diagonal - 1
    const px = changes === 0 ? 0 : (reached[center + previous] as number)
    const py = px - previous
    // Back along equal text, then over the change.
    while (x > px && y > py && (changes > 0 ? x > (down ? px : px + 1) : true)) {
      x--
      y--
      // The last offset of `b` counts: inserted text belongs to the text before it.
      offsets[x] ??= y
    }
    if (changes === 0) break
    x = px
    y = py
    offsets[x] ??= down ? y + 1 : y
  }
  return offsets
}

/** Finds each boundary by the characters around it, within the distance that insertions and removals allow. */
function byContext(a: string, b: string): (offset: number) => number {
  let last = 0
  let shift = 0
  const room = Math.max(reach, Math.abs(a.length - b.length) * 2)
  return (offset) => {
    if (offset >= a.length) return b.length
    const expected = Math.min(b.length, Math.max(last, offset + shift))
    for (const length of contexts) {
      const left = a.slice(Math.max(0, offset - length), offset)
      const around = left + a.slice(offset, offset + length)
      const found = b.indexOf(around, Math.max(0, last - left.length))
      if (found < 0 || found > expected + room) continue
      last = Math.max(last, found + left.length)
      shift = last - offset
      return last
    }
    last = expected
    return last
  }
}

function lastWithText(pieces: readonly string[]): number {
  const at = pieces.findLastIndex((piece) => piece !== '')
  return Math.max(at, 0)
}

/** A boundary never splits a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const isInside = isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at))
  return isInside ? at + 1 : at
}
