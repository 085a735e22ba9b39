import type { Clock } from '@stickler/core'
import { attempting, type MaybePromise } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import type { Logger } from '../front/log.ts'
import { liveMask, type SecretList } from './masking/redact.ts'
import type { AuditRow, Recorder, RunRecord } from './run/run-record.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import type { StoreKeeping, StoreOptions } from './store/store-options.ts'
import { StoreUnavailable } from './store/store-unavailable.ts'

/** Settings and connections of the records. */
interface RecordsOptions extends Omit<StoreOptions, 'onAlert'>, Pick<ServingOptions, 'onFull'> {
  readonly secrets: SecretList
  readonly clock: Clock
  readonly log: Logger
}

/** All stored records of runs and questions. */
export interface Records {
  readonly store: Store
  /** Masks secrets, and decides whether answers may be sent while nothing can be stored. */
  readonly recorder: ServingRecorder
  /** Changes what is stored, and deletes at once what is now too old. */
  configure(keeping: Partial<StoreKeeping>): void
  /** Writes everything that is waiting, for at most `graceMs`. */
  close(graceMs?: number): Promise<void>
}

const purgeEveryMs = 3_600_000

/** Opens the store, and every hour deletes what is too old. */
export async function openRecords({ secrets, clock, log, onFull, ...options }: RecordsOptions): Promise<Records> {
  const store = await openStore({ ...options, onAlert: (alert) => log.error({ event: 'store', kind: alert.kind }, alert.message) })
  const recorder = servingRecorder(maskingRecorder(store.recorder, secrets), {
    onFull,
    clock,
    tell: (error) => log.error({ event: 'store', err: error }, 'a run could not be recorded'),
  })
  const purge = (): void => void store.purge().catch((error: unknown) => log.warn({ err: error }, 'old runs could not be deleted'))
  const purging = setInterval(purge, purgeEveryMs)
  purging.unref()
  return {
    store,
    recorder,
    configure(keeping) {
      store.configure(keeping)
      purge()
    },
    close(graceMs) {
      clearInterval(purging)
      return store.close(graceMs)
    },
  }
}

type Mask = (text: string) => string

/**
 * A recorder that masks whole secrets of the gateway wherever a model or a provider repeats one; `secrets` returns the current list.
 *
 * Names that the client chose, such as session and model, are stored as sent: masking one would tell the client that its guess is right.
 */
export function maskingRecorder(recorder: Recorder, secrets: SecretList): Recorder {
  const mask = liveMask(secrets)
  return {
    run: (record) => recorder.run(maskedRun(record, mask)),
    audit: (row) => recorder.audit(maskedAudit(row, mask)),
  }
}

/** Members of the run itself (not of its parts) whose values come from the gateway, or are names as the client sent them. */
const unmaskedMembers: ReadonlySet<string> = new Set('id requestId session api model upstream contract key status'.split(' '))

/** Every text except those, so that a member added later is masked too. */
function maskedRun(record: RunRecord, mask: Mask): RunRecord {
  // A provider that repeats the requested name reveals nothing.
  const echoes = record.upstreamModel === record.model
  return masked(record, mask, (name) => unmaskedMembers.has(name) || (echoes && name === 'upstreamModel'))
}

/** Members of an audit row with names as the client sent them. */
const clientNames: ReadonlySet<string> = new Set(['model', 'role', 'sources_urns', 'tenant', 'user'])

/** Every text except the client's names, so that a member added later is masked too. */
function maskedAudit(row: AuditRow, mask: Mask): AuditRow {
  return masked(row, mask, (name) => clientNames.has(name))
}

/** Returns the same value if it has no secret, as nearly all values; `isLeft` names members that stay. */
function masked<Value>(value: Value, mask: Mask, isLeft: (name: string) => boolean = () => false): Value {
  if (typeof value === 'string') return mask(value) as Value
  if (typeof value !== 'object' || value === null) return value
  let changed: Record<string, unknown> | undefined
  const members = value as Readonly<Record<string, unknown>>
  for (const name in members) {
    const member = members[name]
    if ((typeof member !== 'string' && typeof member !== 'object') || isLeft(name)) continue
    const kept = masked(member, mask)
    if (kept === member) continue
    changed ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    changed[name] = kept
  }
  return changed === undefined ? value : (changed as Value)
}

/** Reasons that the store itself reports, once while they last. */
const told: ReadonlySet<string> = new Set(['disk-full', 'read-only', 'journal-full', 'io', 'database'])

/** While nothing can be stored, one request per this many milliseconds is let through, to test whether storing works again. */
const tryEveryMs = 1000

/** What to do with answers that cannot be recorded. */
interface ServingOptions {
  /** `serve` still sends them; `refuse` sends an error instead. */
  onFull(): 'serve' | 'refuse'
  readonly clock: Clock
  /** Called with failures that the store does not report itself, once until storing works again. */
  tell(error: unknown): void
}

/** A recorder that decides what happens to answers it cannot record. */
interface ServingRecorder extends Pick<Recorder, 'audit'> {
  run(record: RunRecord): MaybePromise<void>
  /** Throws an HttpError before any model is called if the answer would be refused anyway. */
  mayServe(): void
}

/** Records runs where possible; a client loses its answer over a failed record only if that is configured. */
export function servingRecorder(recorder: Recorder, { onFull, clock, tell }: ServingOptions): ServingRecorder {
  let isFailing = false
  let triedAt = Number.NEGATIVE_INFINITY
  const kept = (): void => {
    isFailing = false
  }
  const lost = (error: unknown): void => {
    const isKnown = error instanceof StoreUnavailable && told.has(error.reason)
    if (!isFailing && !isKnown) tell(error)
    isFailing = true
    triedAt = clock.now()
    if (onFull() === 'refuse' && isKnown) throw notRecorded()
  }
  return {
    mayServe() {
      if (!isFailing || onFull() === 'serve') return
      if (clock.now() - triedAt < tryEveryMs) throw notRecorded()
      triedAt = clock.now()
    },
    run: (record) => attempting(() => recorder.run(record), kept, lost),
    // Without its audit row, an answer is never sent.
    audit: (row) => recorder.audit(row),
  }
}

function notRecorded(): HttpError {
  return new HttpError(503, 'Answers cannot be recorded at the moment, and without a record none is given.', {
    code: 'store_full',
    headers: { 'retry-after': '2' },
  })
}
