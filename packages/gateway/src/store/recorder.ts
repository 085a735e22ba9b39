import { keptAudit, keptRun } from '../record/kept-record.ts'
import type { Recorder } from '../record/run-record.ts'
import type { StoreCounters } from './counters.ts'
import type { Journal } from './journal/journal.ts'
import { auditLine, isRecordId, runLine, type TextPolicy } from './journal/line.ts'
import { StoreUnavailable } from './store-unavailable.ts'

/** How records are taken. */
export interface RecorderOptions extends TextPolicy {
  readonly journal: Journal
  readonly counters: StoreCounters
  readonly whenFull: 'reject' | 'drop'
  readonly recordLimitBytes: number
  readonly now: () => number
  /** A new id for an audit row. */
  readonly newId: () => string
}

/** Takes records into the journal. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { journal, counters, whenFull, recordLimitBytes, keepText, keepAuditText, now, newId } = options

  const keep = async (line: string): Promise<void> => {
    if (journal.isFull()) {
      if (whenFull === 'reject') throw new StoreUnavailable('journal-full', 'the journal is full')
      counters.dropped++
      return
    }
    await journal.append(line)
    counters.recorded++
  }

  const fits = (line: string): boolean => line.length * 3 <= recordLimitBytes || Buffer.byteLength(line) <= recordLimitBytes

  const take = async (write: () => string): Promise<void> => {
    try {
      const line = write()
      if (!fits(line)) throw new StoreUnavailable('too-large', 'the record is too large')
      await keep(line)
    } catch (error) {
      counters.rejected++
      throw error
    }
  }

  return {
    run: (record) =>
      take(() => {
        if (!isRecordId(record.id)) throw new TypeError('a run needs an id of 1 to 200 characters')
        const line = runLine(keptRun(record, keepText))
        // What was said may go, that it was said must not.
        return keepText && !fits(line) ? runLine(keptRun(record, false)) : line
      }),
    audit: (row) =>
      take(() => {
        const at = typeof row.ts === 'number' ? row.ts : now()
        return auditLine({ id: newId(), at, row: keptAudit(row, keepAuditText) })
      }),
  }
}
