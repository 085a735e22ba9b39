import { field } from '../../answer/tool-shapes/fields.ts'
import type { PastCall } from './automaton.ts'

/** Reads the calls that were made before this answer, a list of `{name, ok}`; a bare name is a call whose result is not known. */
export function readTranscript(given: unknown): PastCall[] {
  if (!Array.isArray(given)) return []
  return given.map(readCall).filter((call) => call !== undefined)
}

function readCall(entry: unknown): PastCall | undefined {
  const name = typeof entry === 'string' ? entry : field(entry, 'name')
  return typeof name === 'string' ? { name, ok: field(entry, 'ok') === true } : undefined
}
