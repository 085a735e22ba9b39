import type { Clock } from '@stickler/core'
import { HttpError } from '@stickler/core/internal'
import type { Recorder } from './run/run-record.ts'
import { StoreUnavailable } from './store/store-unavailable.ts'

/** Reasons that the store itself tells of, once for as long as they last. */
const told: ReadonlySet<string> = new Set(['disk-full', 'read-only', 'journal-full', 'io', 'database'])

/** While nothing can be kept, one request is let through in so many milliseconds, to find out whether it can be again. */
const tryEveryMs = 1000

/** What to do with answers that cannot be recorded. */
export interface ServingOptions {
  /** `serve` sends them all the same; `refuse` gives an error in their place. */
  onFull(): 'serve' | 'refuse'
  readonly clock: Clock
  /** Told of what the store does not tell itself, once until something can be kept again. */
  tell(error: unknown): void
}

/** A recorder that knows what becomes of answers which it cannot keep. */
export interface ServingRecorder extends Recorder {
  /** Throws an HttpError before any model is called when the answer would be refused anyway. */
  mayServe(): void
}

/** Records runs as far as possible: what cannot be kept costs a client its answer only where that is configured. */
export function servingRecorder(recorder: Recorder, { onFull, clock, tell }: ServingOptions): ServingRecorder {
  let isFailing = false
  let triedAt = Number.NEGATIVE_INFINITY
  return {
    mayServe() {
      if (!isFailing || onFull() === 'serve') return
      if (clock.now() - triedAt < tryEveryMs) throw notRecorded()
      triedAt = clock.now()
    },
    async run(record) {
      try {
        await recorder.run(record)
        isFailing = false
      } catch (error) {
        const isKnown = error instanceof StoreUnavailable && told.has(error.reason)
        if (!isFailing && !isKnown) tell(error)
        isFailing = true
        triedAt = clock.now()
        if (onFull() === 'refuse' && isKnown) throw notRecorded()
      }
    },
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
