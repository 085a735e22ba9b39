import { circuitLines, unvalidatedLine } from '@stickler/parser'
import type { RunRecord } from '../../records/run/run-record.ts'

const none: readonly string[] = []

/** What is logged about a response whose code has no verdict: that the parser was skipped, and that it is returned so. */
export function parserLines(record: RunRecord, checks: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  // First, because nearly all runs end here.
  if (record.unchecked.length === 0) return none
  const needing = checks.get(record.contract)
  if (needing === undefined) return none
  const without = record.unchecked.filter(({ validator }) => needing.has(validator))
  return [
    ...(without.some(({ reason }) => reason === 'open') ? [circuitLines.open] : []),
    ...(without.length > 0 && record.delivered === true ? [unvalidatedLine] : []),
  ]
}
