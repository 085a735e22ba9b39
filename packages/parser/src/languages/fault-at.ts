import { positionAt } from '@stickler/core/internal'
import type { SyntaxFault } from '@stickler/core/validators'

/** The fault between two UTF-16 offsets of a source. */
export function faultAt(source: string, start: number, end: number, message: string, suggestion?: string): SyntaxFault {
  const from = positionAt(source, Math.min(start, source.length))
  const to = positionAt(source, Math.min(Math.max(end, start), source.length))
  const what = suggestion === undefined ? { message } : { message, suggestion }
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column, ...what }
}

/** Where the text of a source ends, before the blank rest: there something is missing. */
export function endOfText(source: string): number {
  return source.trimEnd().length
}
