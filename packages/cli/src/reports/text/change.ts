import type { Certificate } from '@stickler/core'
import { printable } from '../../terminal/printable.ts'

/** The most lines shown before and after a change, and their maximum length. */
const mostLines = 6
const longestLine = 120

/** What a change removes and adds, as lines that begin with `-` and `+`. */
export function describeChange(text: string, { span, before, after }: Pick<Certificate, 'span' | 'before' | 'after'>): string[] {
  // Later rounds refer to an intermediate text that is not available; show the bare change.
  const fits = text.startsWith(before, span.start)
  const head = fits ? text.slice(lineStart(text, span.start), span.start) : ''
  const tail = fits ? text.slice(span.end, lineEnd(text, span.end)) : ''
  const old = splitLines(head + before + tail)
  const fresh = splitLines(head + after + tail)
  const shorter = Math.min(old.length, fresh.length)
  let first = 0
  while (first < shorter && old[first] === fresh[first]) first++
  let same = 0
  while (same < shorter - first && old.at(-1 - same) === fresh.at(-1 - same)) same++
  return [...mark('-', old.slice(first, old.length - same)), ...mark('+', fresh.slice(first, fresh.length - same))]
}

function mark(sign: string, lines: readonly string[]): string[] {
  const shown = lines.slice(0, mostLines).map((line) => `${sign} ${clip(line)}`.trimEnd())
  return lines.length > mostLines ? [...shown, `${sign} … ${lines.length - mostLines} more lines`] : shown
}

function clip(line: string): string {
  return line.length > longestLine ? `${printable(line.slice(0, longestLine))}…` : printable(line)
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|[\r\n]/)
}

/** Limits context to what a line can show. */
function lineStart(text: string, offset: number): number {
  const floor = Math.max(0, offset - longestLine)
  let start = offset
  while (start > floor && !/[\r\n]/.test(text.charAt(start - 1))) start--
  return start
}

function lineEnd(text: string, offset: number): number {
  const ceiling = Math.min(text.length, offset + longestLine)
  let end = offset
  while (end < ceiling && !/[\r\n]/.test(text.charAt(end))) end++
  return end
}
