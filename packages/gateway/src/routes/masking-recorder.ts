import { redactor } from '@stickler/core/runners'
import type { Recorder, RunRecord } from '../record/run-record.ts'

/** A recorder that keeps no secret of the gateway, wherever in a run a model, a client or a provider has said one. */
export function maskingRecorder(recorder: Recorder, secrets: readonly string[]): Recorder {
  const mask = redactor(secrets)
  return {
    run: (record) => recorder.run(saysNothing(record) ? record : (masked(record, mask) as RunRecord)),
    audit: (row) => recorder.audit(row),
  }
}

/** Whether there is no word of anybody in a run, as in most that are kept without texts. */
function saysNothing({ text, request, issues, fixed, repairs, unchecked, failure, attempts }: RunRecord): boolean {
  if (text !== undefined || request !== undefined || failure !== undefined) return false
  if (issues.length + fixed.length + repairs.length + unchecked.length > 0) return false
  return attempts.every((attempt) => attempt.issues.length === 0 && attempt.text === undefined && attempt.feedback === undefined)
}

function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item) => masked(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member, mask)]))
}
