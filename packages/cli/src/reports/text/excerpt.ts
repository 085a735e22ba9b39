import type { TextSpan } from '@stickler/core'
import { isLowSurrogate } from '@stickler/core/internal'
import { printable } from '../../terminal/printable.ts'
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

function clampTo(offset: number, length: number): number {
  return Number.isFinite(offset) ? Math.min(Math.max(0, Math.trunc(offset)), length) : 0
}

/** First and last code points of the blocks whose characters take two columns. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
]

/** How many columns a character takes on a terminal, approximately. */
function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (/^[\p{Mn}\p{Me}\u200c\u200d]/u.test(character)) return 0
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1
}
