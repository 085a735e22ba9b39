import type { Issue, Span } from '../api/run-types.ts'
import type { Piece } from './replay.ts'

/** A part of a text that is drawn in one way; its text is empty where an issue has a place but no extent. */
export interface Segment extends Piece {
  /** Numbers of the first issues here. */
  readonly issues: readonly number[]
  /** How many further issues are here. */
  readonly more: number
}

/** Issues whose spans count in one of the two texts. */
export interface Marks {
  readonly issues: readonly (Issue & { readonly id: number })[]
  readonly text: string
}

const mostNamed = 4

/** Divides pieces at the spans of issues: of those that remain, in the final text, and of those that were fixed, in the original. */
export function segmentsOf(pieces: readonly Piece[], inOriginal: Marks, inFinal: Marks): readonly Segment[] {
  const original = new Axis(inOriginal)
  const final = new Axis(inFinal)
  const segments: Segment[] = []
  for (const piece of pieces) {
    const axes = piece.kind === 'same' ? [original, final] : [piece.kind === 'removed' ? original : final]
    let rest = piece.text
    while (rest !== '') {
      for (const axis of axes) for (const opened of axis.open(piece)) segments.push(opened)
      const length = Math.min(rest.length, ...axes.map((axis) => axis.distance))
      const named = axes.flatMap((axis) => axis.active(mostNamed))
      const all = axes.reduce((sum, axis) => sum + axis.count, 0)
      const issues = named.slice(0, mostNamed)
      segments.push({ ...piece, text: rest.slice(0, length), issues, more: all - issues.length })
      for (const axis of axes) axis.move(length)
      rest = rest.slice(length)
    }
  }
  const last: Piece = { kind: 'same', text: '' }
  for (const axis of [original, final]) for (const opened of axis.open(last)) segments.push(opened)
  return segments
}

/** Walks along one text and knows which issues are at the place. */
class Axis {
  readonly #starts: readonly { readonly at: number; readonly end: number; readonly id: number }[]
  readonly #ends: readonly { readonly at: number; readonly id: number }[]
  readonly #active = new Set<number>()
  #at = 0
  #started = 0
  #ended = 0

  constructor({ issues, text }: Marks) {
    const placed = issues.flatMap(({ id, span }) => (span === undefined ? [] : fitted(id, span, text)))
    this.#starts = placed.map(({ id, start, end }) => ({ at: start, end, id })).sort((a, b) => a.at - b.at)
    this.#ends = placed
      .filter(({ start, end }) => end > start)
      .map(({ id, end }) => ({ at: end, id }))
      .sort((a, b) => a.at - b.at)
  }

  /** Begins and ends issues at this place; returns those without extent. */
  open(piece: Piece): Segment[] {
    for (let end = this.#ends[this.#ended]; end !== undefined && end.at <= this.#at; end = this.#ends[++this.#ended]) {
      this.#active.delete(end.id)
    }
    const points: Segment[] = []
    for (let start = this.#starts[this.#started]; start !== undefined && start.at <= this.#at; start = this.#starts[++this.#started]) {
      if (start.end > start.at) this.#active.add(start.id)
      else points.push({ kind: piece.kind, text: '', issues: [start.id], more: 0 })
    }
    return points
  }

  /** How far it is to the next change. */
  get distance(): number {
    const start = this.#starts[this.#started]?.at ?? Number.POSITIVE_INFINITY
    const end = this.#ends[this.#ended]?.at ?? Number.POSITIVE_INFINITY
    return Math.min(start, end) - this.#at
  }

  get count(): number {
    return this.#active.size
  }

  active(most: number): number[] {
    const named: number[] = []
    for (const id of this.#active) if (named.push(id) >= most) break
    return named
  }

  move(length: number): void {
    this.#at += length
  }
}

/** The span within the text, with no character cut in two; nothing when it is outside. */
function fitted(id: number, { start, end }: Span, text: string): { readonly id: number; readonly start: number; readonly end: number }[] {
  if (!(start >= 0 && end >= start && start <= text.length)) return []
  const last = Math.min(end, text.length)
  if (start === end) return [{ id, start, end: start }]
  return [{ id, start: isInside(text, start) ? start - 1 : start, end: isInside(text, last) ? last + 1 : last }]
}

function isInside(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
