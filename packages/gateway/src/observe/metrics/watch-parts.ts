import type { ParserState } from '@stickler/core/internal/services'
import type { Store } from '../../records/store/store.ts'
import type { Metrics } from './metrics.ts'

/** What is read when metrics are rendered. */
interface WatchedParts {
  readonly store: Pick<Store, 'waitingBytes' | 'counters' | 'failing'>
  readonly counts: { readonly queued: number; readonly threads: number; ends(): Iterable<readonly [string, number]> }
  logLost(): number
  parserState(): ParserState | undefined
}

/** Lets metrics read the numbers of other parts. */
export function watchParts(metrics: Pick<Metrics, 'watch'>, { store, counts, logLost, parserState }: WatchedParts): void {
  metrics.watch('logLost', logLost)
  metrics.watch('storeWaiting', () => store.waitingBytes)
  metrics.watch('storeFailures', () => store.counters.failures)
  metrics.watch('storeLost', () => store.counters.rejected + store.counters.dropped)
  metrics.watch('storeFailing', () => (store.failing ? 1 : 0))
  metrics.watch('judgingQueued', () => counts.queued)
  metrics.watch('judgingThreads', () => counts.threads)
  metrics.watch('judgingEnded', () => counts.ends())
  metrics.watch('parserState', (state) => (parserState() === state ? 1 : 0))
}
