import type { Clock } from '@stickler/core'
import { attempting, HttpError, type MaybePromise } from '@stickler/core/internal'
import type { Logger } from '../front/log.ts'
import { liveMask, type SecretList } from './masking/redact.ts'
import type { AuditRow, Recorder, RunRecord } from './run/run-record.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import type { StoreKeeping, StoreOptions } from './store/store-options.ts'
import { StoreUnavailable } from './store/store-unavailable.ts'

/** What records are kept with. */
export interface RecordsOptions extends Omit<StoreOptions, 'onAlert'>, Pick<ServingOptions, 'onFull'> {
  readonly secrets: SecretList
  readonly clock: Clock
  readonly log: Logger
}

/** Everything that is kept of runs and questions. */
export interface Records {
  readonly store: Store
  /** Masks secrets, and knows whether answers may be given while nothing can be kept. */
  readonly recorder: ServingRecorder
  /** Changes what is kept, and deletes at once what is too old by now. */
  configure(keeping: Partial<StoreKeeping>): void
  /** Writes everything that waits, unless `graceMs` ends that. */
  close(graceMs?: number): Promise<void>
}

const purgeEveryMs = 3_600_000

/** Opens the store, and deletes from it what is too old, every hour. */
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
  for (const name in members) {
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

/** Reasons that the store itself tells of, once for as long as they last. */
const told: ReadonlySet<string> = new Set(['disk-full', 'read-only', 'journal-full', 'io', 'database'])

/** While nothing can be kept, one request is let through in so many milliseconds, to find out whether it can be again. */
const tryEveryMs = 1000

/** What to do with answers that cannot be recorded. */
interface ServingOptions {
  /** `serve` sends them all the same; `refuse` gives an error in their place. */
  onFull(): 'serve' | 'refuse'
  readonly clock: Clock
  /** Told of what the store does not tell itself, once until something can be kept again. */
  tell(error: unknown): void
}

/** A recorder that knows what becomes of answers which it cannot keep. */
interface ServingRecorder extends Pick<Recorder, 'audit'> {
  run(record: RunRecord): MaybePromise<void>
  /** Throws an HttpError before any model is called when the answer would be refused anyway. */
  mayServe(): void
}

/** Records runs as far as possible: what cannot be kept costs a client its answer only where that is configured. */
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
    // Whoever asks for an audit gets no answer without it.
    audit: (row) => recorder.audit(row),
  }
}

function notRecorded(): HttpError {
  return new HttpError(503, 'Answers cannot be recorded at the moment, and without a record none is given.', {
    code: 'store_full',
    headers: { 'retry-after': '2' },
  })
}
