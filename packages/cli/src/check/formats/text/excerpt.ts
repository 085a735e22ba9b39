import type { TextSpan } from '@stickler/core'
import { printable } from '../../../terminal/printable.ts'
import { widthOf } from '../../../terminal/width.ts'
import type { LineIndex } from '../line-index.ts'

/** How much of a long line is shown, and how much of that before the span. */
const columns = 100
const before = 30

/** The line in which a span begins, with the span marked underneath; two lines of text. */
export function excerpt(text: string, lines: LineIndex, span: TextSpan): readonly [line: string, mark: string] {
  const start = clampTo(span.start, text.length)
  const end = Math.max(start, clampTo(span.end, text.length))
  const { line } = lines.positionAt(start)
  const whole = lines.spanOf(line)
  const from = startOfWindow(text, whole.start, start)
  let shown = ''
  let mark = ''
  let at = from
  let width = 0
  let column: number | undefined
  while (at < whole.end && width < columns) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    const cell = character === '\t' ? ' '.repeat(4 - (width % 4)) : printable(character)
    const cellWidth = cell === character ? widthOf(character) : cell.length
    if (at >= start) column ??= width
    shown += cell
    mark += (at >= start && at < end ? '^' : ' ').repeat(cellWidth)
    width += cellWidth
    at += character.length
  }
  const cutBefore = from > whole.start ? '…' : ''
  const cutAfter = at < whole.end ? '…' : ''
  // An empty span, or one past the end of the line, is marked at its position.
  const marked = mark.includes('^') ? mark.trimEnd() : `${' '.repeat(column ?? width)}^`
  const last = lines.positionAt(Math.max(start, end - 1)).line
  const further = last > line ? ` … to line ${last}` : ''
  return [`${cutBefore}${shown}${cutAfter}`, `${cutBefore ? ' ' : ''}${marked}${further}`]
}

function startOfWindow(text: string, lineStart: number, spanStart: number): number {
  if (spanStart - lineStart <= columns - before) return lineStart
  const from = spanStart - before
  const splitsPair = isLowSurrogate(text.charCodeAt(from))
  return splitsPair ? from + 1 : from
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function clampTo(offset: number, length: number): number {
  return Number.isFinite(offset) ? Math.min(Math.max(0, Math.trunc(offset)), length) : 0
}
