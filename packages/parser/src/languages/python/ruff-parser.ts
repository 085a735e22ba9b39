import { type Diagnostic, PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs'
import type { SourceParser } from '../language.ts'

/** A model acts on the first faults. */
const mostFaults = 20

/** Parses Python with Ruff's parser; no lint rule is on. */
export function ruffParser(): SourceParser {
  const workspace = new Workspace({ 'target-version': 'py313', lint: { select: [] } }, PositionEncoding.Utf16)
  return (source) => {
    const found = workspace.check(source) as readonly Diagnostic[]
    return found.slice(0, mostFaults).map(({ message, start_location: start, end_location: end }) => ({
      line: start.row,
      column: start.column,
      endLine: end.row,
      endColumn: end.column,
      message,
    }))
  }
}
