import { clamp } from '@stickler/core/internal'
import type { SyntaxFault, SyntaxVerdict } from '@stickler/core/validators'

/** A model acts on the first faults; a file of another language has thousands. */
const mostFaults = 200
const longestMessage = 500

/** The verdict for the faults that a parser reported, none of them outside the source, and few and short enough to be passed on. */
export function verdictOf(faults: readonly SyntaxFault[], source: string): SyntaxVerdict {
  const lengths = faults.length > 0 ? lineLengths(source) : []
  const [first, ...rest] = faults.slice(0, mostFaults).map((fault) => withinLines(fault, lengths))
  return first === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [first, ...rest] }
}

function withinLines(fault: SyntaxFault, lengths: readonly number[]): SyntaxFault {
  const line = within(fault.line, 1, lengths.length)
  const column = within(fault.column, 1, lengthOf(line) + 1)
  const endLine = within(fault.endLine, line, lengths.length)
  const endColumn = within(fault.endColumn, endLine === line ? column : 1, lengthOf(endLine) + 1)
  const message = clamp(String(fault.message), longestMessage)
  const suggestion = typeof fault.suggestion === 'string' ? { suggestion: clamp(fault.suggestion, longestMessage) } : {}
  return { line, column, endLine, endColumn, message, ...suggestion }

  function lengthOf(one: number): number {
    return lengths[one - 1] ?? 0
  }
}

/** What is not a number is taken for the least. */
function within(value: unknown, least: number, most: number): number {
  const whole = typeof value === 'number' ? Math.trunc(value) : Number.NaN
  return Number.isNaN(whole) ? least : Math.min(Math.max(whole, least), most)
}

/** How long lines are without their line breaks; no line is copied, because a text may consist of millions. */
function lineLengths(source: string): readonly number[] {
  const lengths: number[] = []
  let start = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code !== 10 && code !== 13) continue
    lengths.push(at - start)
    if (code === 13 && source.charCodeAt(at + 1) === 10) at++
    start = at + 1
  }
  lengths.push(source.length - start)
  return lengths
}
