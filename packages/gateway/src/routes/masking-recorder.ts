import { redactor } from '@stickler/core/runners'
import type { AttemptRecord, Recorder, RunRecord } from '../record/run-record.ts'

/** A recorder that keeps no secret of the gateway, also where a model or a client has said one. */
export function maskingRecorder(recorder: Recorder, secrets: readonly string[]): Recorder {
  const mask = redactor(secrets)
  const optional = (name: 'text' | 'request' | 'feedback', value: string | undefined): Readonly<Record<string, string>> =>
    value === undefined ? {} : { [name]: mask(value) }
  const attempt = (one: AttemptRecord): AttemptRecord =>
    one.text === undefined && one.feedback === undefined
      ? one
      : { ...one, ...optional('text', one.text), ...optional('feedback', one.feedback) }
  return {
    run(record) {
      if (record.text === undefined && record.request === undefined) return recorder.run(record)
      const masked: RunRecord = {
        ...record,
        attempts: record.attempts.map(attempt),
        ...optional('text', record.text),
        ...optional('request', record.request),
      }
      return recorder.run(masked)
    },
    audit: (row) => recorder.audit(row),
  }
}
