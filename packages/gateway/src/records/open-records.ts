import type { Clock } from '@stickler/core'
import type { Logger } from '../front/log.ts'
import type { SecretList } from './masking/live-mask.ts'
import { maskingRecorder } from './masking/masking-recorder.ts'
import { type ServingOptions, type ServingRecorder, servingRecorder } from './serving-recorder.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'
import type { StoreKeeping, StoreOptions } from './store/store-options.ts'

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
