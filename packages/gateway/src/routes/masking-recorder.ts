import { liveMask, type SecretList } from '../observe/live-mask.ts'
import type { AttemptRecord, AuditRow, Recorder, RunRecord } from '../record/run-record.ts'

type Mask = (text: string) => string

/**
 * A recorder that keeps no whole secret of the gateway, wherever in a run a model or a provider has said one; `secrets` gives the list that holds now.
 *
 * Names that the client chose, such as session and model, are kept as sent: whether one is masked would tell the client whether its guess is right.
 */
export function maskingRecorder(recorder: Recorder, secrets: SecretList): Recorder {
  const mask = liveMask(secrets)
  return {
    run: (record) => recorder.run(saysNothing(record) ? maskedStep(record, mask) : maskedRun(record, mask)),
    audit: (row) => recorder.audit(maskedAudit(row, mask)),
  }
}

/** Whether there is no word of anybody in a run but its step, as in most that are kept without texts. */
function saysNothing({ text, request, issues, fixed, repairs, unchecked, failure, attempts }: RunRecord): boolean {
  if (text !== undefined || request !== undefined || failure !== undefined) return false
  if (issues.length + fixed.length + repairs.length + unchecked.length > 0) return false
  return attempts.every((attempt) => attempt.issues.length === 0 && attempt.text === undefined && attempt.feedback === undefined)
}

function maskedStep(record: RunRecord, mask: Mask): RunRecord {
  const step = record.step === undefined ? undefined : mask(record.step)
  return step === undefined || step === record.step ? record : { ...record, step }
}

function maskedRun(record: RunRecord, mask: Mask): RunRecord {
  const { text, request, step, failure, issues, fixed, repairs, unchecked, attempts } = record
  return {
    ...record,
    ...(text === undefined ? {} : { text: mask(text) }),
    ...(request === undefined ? {} : { request: mask(request) }),
    ...(step === undefined ? {} : { step: mask(step) }),
    ...(failure === undefined ? {} : { failure: { ...failure, message: mask(failure.message) } }),
    issues: masked(issues, mask),
    fixed: masked(fixed, mask),
    repairs: masked(repairs, mask),
    unchecked: masked(unchecked, mask),
    attempts: attempts.map((attempt) => maskedAttempt(attempt, mask)),
  }
}

function maskedAttempt(attempt: AttemptRecord, mask: Mask): AttemptRecord {
  const { text, feedback, issues } = attempt
  return {
    ...attempt,
    issues: masked(issues, mask),
    ...(text === undefined ? {} : { text: mask(text) }),
    ...(feedback === undefined ? {} : { feedback: mask(feedback) }),
  }
}

/** Members of an audit row that hold names as the client sent them. */
const clientNames: ReadonlySet<string> = new Set(['model', 'role', 'sources_urns', 'tenant', 'user'])

/** Every text but the names of the client, so that a member added later is masked too. */
function maskedAudit(row: AuditRow, mask: Mask): AuditRow {
  return Object.fromEntries(Object.entries(row).map(([name, member]) => [name, clientNames.has(name) ? member : masked(member, mask)]))
}

function masked<Value>(value: Value, mask: Mask): Value {
  if (typeof value === 'string') return mask(value) as Value
  if (Array.isArray(value)) return value.map((item) => masked(item, mask)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member, mask)])) as Value
}
