import type { Recorder } from '../record/run-record.ts'
import { StoreUnavailable } from '../store/store-unavailable.ts'

/** Reasons that the store itself tells of, once for as long as they last. */
const told: ReadonlySet<string> = new Set(['disk-full', 'read-only', 'journal-full', 'io', 'database'])

/** A recorder whose runs never cost a client its answer: what cannot be kept is told once until something can be kept again, and the answer goes out. */
export function servingRecorder(recorder: Recorder, tell: (error: unknown) => void): Recorder {
  let isFailing = false
  return {
    async run(record) {
      try {
        await recorder.run(record)
        isFailing = false
      } catch (error) {
        if (!isFailing && !(error instanceof StoreUnavailable && told.has(error.reason))) tell(error)
        isFailing = true
      }
    },
    // Whoever asks for an audit gets no answer without it.
    audit: (row) => recorder.audit(row),
  }
}
