import type { AuditRow, Recorder, RunRecord } from '../run/run-record.ts'
import { liveMask, type SecretList } from './live-mask.ts'

type Mask = (text: string) => string

/**
 * A recorder that keeps no whole secret of the gateway, wherever in a run a model or a provider has said one; `secrets` gives the list that holds now.
 *
 * Names that the client chose, such as session and model, are kept as sent: whether one is masked would tell the client whether its guess is right.
 */
export function maskingRecorder(recorder: Recorder, secrets: SecretList): Recorder {
  const mask = liveMask(secrets)
  return {
    run: (record) => recorder.run(maskedRun(record, mask)),
    audit: (row) => recorder.audit(maskedAudit(row, mask)),
  }
}

/** Members of a run whose values are the gateway's own or names as the client sent them; of the run itself, not of what is in it. */
const unmaskedMembers: ReadonlySet<string> = new Set('id requestId session api model upstream contract key status'.split(' '))

/** Every text but those, so that a member added later is masked too. */
function maskedRun(record: RunRecord, mask: Mask): RunRecord {
  // A provider that repeats the name that it was asked for says nothing of its own.
  const echoes = record.upstreamModel === record.model
  return maskedMembers(record, mask, (name) => unmaskedMembers.has(name) || (echoes && name === 'upstreamModel'))
}

/** Members of an audit row that hold names as the client sent them. */
const clientNames: ReadonlySet<string> = new Set(['model', 'role', 'sources_urns', 'tenant', 'user'])

/** Every text but the names of the client, so that a member added later is masked too. */
function maskedAudit(row: AuditRow, mask: Mask): AuditRow {
  return maskedMembers(row, mask, (name) => clientNames.has(name))
}

function maskedMembers<Value extends object>(value: Value, mask: Mask, isLeft: (name: string) => boolean): Value {
  let changed: Record<string, unknown> | undefined
  const members = value as Readonly<Record<string, unknown>>
  for (const name of Object.keys(value)) {
    const member = members[name]
    if ((typeof member !== 'string' && typeof member !== 'object') || isLeft(name)) continue
    const kept = masked(member, mask)
    if (kept === member) continue
    changed ??= { ...members }
    changed[name] = kept
  }
  return changed === undefined ? value : (changed as Value)
}

/** The same value where no secret is in it, as in nearly all of them. */
function masked<Value>(value: Value, mask: Mask): Value {
  if (typeof value === 'string') return mask(value) as Value
  if (typeof value !== 'object' || value === null) return value
  if (!Array.isArray(value)) return maskedMembers(value, mask, none)
  let changed: unknown[] | undefined
  for (let index = 0; index < value.length; index++) {
    const kept = masked<unknown>(value[index], mask)
    if (kept === value[index]) continue
    changed ??= [...value]
    changed[index] = kept
  }
  return changed === undefined ? value : (changed as Value)
}

function none(): boolean {
  return false
}
