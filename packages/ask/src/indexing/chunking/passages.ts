import { isHighSurrogate } from '@stickler/core/internal'
import { type DocumentLine, documentLines, type LayOut, type Layout } from './layout.ts'

/**
 * Lengths of passages, in UTF-16 units: split at about `target`, up to `most` to keep things
 * together, and not below `least` without need.
 */
export const sizes = { least: 200, target: 1000, most: 2000 } as const

/**
 * Splits a document into passages of about 1 KB: every line that is not blank belongs to exactly
 * one.
 */
export function* passagesOf(text: string, layOut: LayOut): Generator<Passage> {
  const lines = documentLines(text)
  const layout = layOut(text, lines)
  for (let from = 0; from < lines.length; ) {
    const line = lines[from]
    if (line === undefined || line.isBlank) {
      from++
      continue
    }
    const cuts = longLineCuts(line.text)
    if (cuts !== undefined) {
      yield* partsOf(line.text, cuts, from, layout.headingsAt(from))
      from++
      continue
    }
    const end = nextCut(lines, layout, from)
    yield passage(lines, layout, from, end)
    from = end
  }
}

function passage(lines: readonly DocumentLine[], layout: Layout, from: number, end: number): Passage {
  let last = end - 1
  while (lines[last]?.isBlank) last--
  // Below headings without a text the passage belongs to the innermost one.
  let said = from
  while (said < last && (lines[said]?.isBlank || layout.headingLines.has(said))) said++
  const text = lines.slice(from, last + 1).map((line) => line.text)
  return { firstLine: from + 1, lastLine: last + 1, headings: layout.headingsAt(said), text: text.join('\n') }
}

function* partsOf(text: string, cuts: readonly number[], at: number, headings: readonly string[]): Generator<Passage> {
  let from = 0
  for (const cut of [...cuts, text.length]) {
    const part = text.slice(from, cut)
    if (part.trim() !== '') yield { firstLine: at + 1, lastLine: at + 1, columns: [from + 1, cut], headings, text: part }
    from = cut
  }
}

/**
 * Where a line that is too long for one passage is split: after a space if possible, never within a
 * character.
 */
function longLineCuts(text: string): readonly number[] | undefined {
  if (text.length <= sizes.most) return undefined
  const cuts: number[] = []
  for (let from = 0; text.length - from > sizes.target; ) {
    const window = text.slice(from, from + sizes.target)
    const space = window.lastIndexOf(' ')
    const end = space >= sizes.least ? space + 1 : window.length
    from += end > 1 && isHighSurrogate(text.charCodeAt(from + end - 1)) ? end - 1 : end
    cuts.push(from)
  }
  return cuts
}

/**
 * The line before which the passage that starts with `from` is split. Looks ahead no further than
 * the longest passage, so splitting takes linear time.
 */
function nextCut(lines: readonly DocumentLine[], layout: Layout, from: number): number {
  // The last place within the target, and the first one after it, by cost.
  const within: number[] = []
  const beyond: number[] = []
  let size = lines[from]?.text.length ?? 0
  let saysMore = !layout.headingLines.has(from)
  let at = from + 1
  for (; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || (layout.begins.has(at) && saysMore)) break
    if (line.isBlank) {
      size++
      continue
    }
    const before = size
    size += line.text.length + 1
    const cost = layout.cost(at)
    if (before >= sizes.least && before <= sizes.target) within[cost] = at
    else if (before > sizes.target) beyond[cost] ??= at
    if (size > sizes.most) return cheapest(within, beyond) ?? at
    saysMore ||= !layout.headingLines.has(at)
  }
  return size <= sizes.target ? at : (within[0] ?? at)
}

function cheapest(within: readonly number[], beyond: readonly number[]): number | undefined {
  for (let cost = 0; cost < 4; cost++) {
    const found = within[cost] ?? beyond[cost]
    if (found !== undefined) return found
  }
  return undefined
}

/** A passage of a document: whole lines, or a part of one line that is too long. */
export interface Passage {
  /** Counted from 1. */
  readonly firstLine: number
  readonly lastLine: number
  /** For a part of one line: its first and last column, counted from 1. */
  readonly columns?: readonly [first: number, last: number]
  readonly headings: readonly string[]
  readonly text: string
}

/** The name of a passage, as links to lines are written: `docs/a.md#L10-L42`, `docs/a.md#L7`, `docs/a.md#L7C1-L7C900`. */
export function urnOf(path: string, { firstLine, lastLine, columns }: Passage): string {
  if (columns !== undefined) return `${path}#L${firstLine}C${columns[0]}-L${lastLine}C${columns[1]}`
  return firstLine === lastLine ? `${path}#L${firstLine}` : `${path}#L${firstLine}-L${lastLine}`
}
