import { keptAudit } from '../run/kept-record.ts'
import type { AuditRow, Recorder, RunRecord } from '../run/run-record.ts'
import type { StoreCounters } from './counters.ts'
import type { Journal } from './journal/journal.ts'
import { auditLine, isRecordId, type Line, runLine, type TextPolicy } from './journal/line.ts'
import { StoreUnavailable } from './store-unavailable.ts'

/** How records are taken. */
export interface RecorderOptions {
  /** Which texts are kept now. */
  texts(): TextPolicy
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
  const { journal, counters, whenFull, recordLimitBytes, texts, now, newId } = options

  const fits = ({ line }: Line): boolean => line.length * 3 <= recordLimitBytes || Buffer.byteLength(line) <= recordLimitBytes

  /** Not async, because every request waits for it: all records of one turn share the promise of the journal. */
  const take = <What>(record: What, write: (record: What) => Line): Promise<void> => {
    let written: Line
    try {
      written = write(record)
      if (!fits(written)) throw new StoreUnavailable('too-large', 'the record is too large')
      if (journal.isFull()) {
        if (whenFull === 'reject') throw new StoreUnavailable('journal-full', 'the journal is full')
        counters.dropped++
        return Promise.resolve()
      }
    } catch (error) {
      counters.rejected++
      return Promise.reject(error)
    }
    return journal.append(written.line, written.entry)
  }

  const writeRun = (record: RunRecord): Line => {
    if (!isRecordId(record.id)) throw new TypeError('a run needs an id of 1 to 200 characters')
    const { keepText, isName } = texts()
    const written = runLine(record, keepText, isName)
    // What was said may go, that it was said must not.
    return keepText && !fits(written) ? runLine(record, false, isName) : written
  }

  const writeAudit = (row: AuditRow): Line => {
    const at = typeof row.ts === 'number' ? row.ts : now()
    return auditLine({ id: newId(), at, row: keptAudit(row, texts().keepAuditText) })
  }

  return { run: (record) => take(record, writeRun), audit: (row) => take(row, writeAudit) }
}
