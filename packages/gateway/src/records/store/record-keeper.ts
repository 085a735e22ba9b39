import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { keptAudit } from '../run/kept-record.ts'
import type { AuditRow, Recorder, RunRecord } from '../run/run-record.ts'
import { newCounters, type StoreCounters } from './counters.ts'
import type { Engine } from './engine/engine.ts'
import { Journal } from './journal/journal.ts'
import type { JournalFiles } from './journal/journal-files.ts'
import { auditLine, isRecordId, type Line, lineOfRun, runLine, type TextPolicy } from './journal/line.ts'
import { Orphans } from './journal/orphans.ts'
import { AlertSwitch } from './store-alert.ts'
import type { CompleteOptions } from './store-options.ts'
import { StoreUnavailable } from './store-unavailable.ts'
import { Writer } from './writer.ts'

const startNowBytes = 512 * 1024

/** The way of a record: taken by the recorder, safe in the journal, moved into the database by the writer. */
export class RecordKeeper {
  readonly recorder: Recorder
  readonly counters: StoreCounters = newCounters()
  readonly #journal: Journal
  readonly #orphans: Orphans
  readonly #writer: Writer
  readonly #journalAlerts: AlertSwitch
  readonly #search: NodeJS.Timeout

  constructor(engine: Engine, files: JournalFiles, options: CompleteOptions, texts: () => TextPolicy) {
    const { onAlert, journalLimitBytes, segmentBytes, adoptEveryMs } = options
    const { counters } = this
    // A thread that writes reads the lines back from their file: nothing of a record stays in this one.
    const remembers = engine.insertLines === undefined
    this.#journalAlerts = new AlertSwitch('journal', onAlert)
    this.#journal = new Journal({
      files,
      newOwner: () => `${process.pid}x${randomBytes(8).toString('hex')}`,
      limitBytes: journalLimitBytes,
      segmentBytes: Math.min(segmentBytes, Math.ceil(journalLimitBytes / 4)),
      alerts: this.#journalAlerts,
      remembers,
      onAppend: (lines) => {
        counters.recorded += lines
        if (this.#journal.unread > startNowBytes) void this.#writer.start()
        else this.#writer.wake()
      },
      onLoss: (lines) => {
        counters.rejected += lines
      },
    })
    this.#orphans = new Orphans(files)
    this.#writer = new Writer({
      ...options,
      texts,
      engine,
      counters,
      alerts: new AlertSwitch('database', onAlert),
      sources: [this.#orphans, this.#journal],
      refuse: (line) => files.refuse(line),
    })
    this.recorder = createRecorder({ ...options, texts, remembers, journal: this.#journal, counters, newId: randomUUID })
    this.#search = setInterval(() => this.#takeOver(), adoptEveryMs).unref()
    this.#takeOver()
  }

  get journal(): { readonly ok: boolean; readonly bytes: number; readonly waitingBytes: number } {
    return { ok: !this.#journalAlerts.failing, bytes: this.#journal.bytes, waitingBytes: this.#journal.unread }
  }

  /** From now on other rules hold for what is kept. */
  review(): void {
    this.#journal.review()
  }

  /** Waits until everything that was recorded so far is in the database; tells whether that happened in time. */
  async flush(timeoutMs: number): Promise<boolean> {
    await nextTurn()
    const inTime = new AbortController()
    const written = this.#writer.flush().then(() => true)
    const late = delay(timeoutMs, false, { signal: inTime.signal }).catch(() => false)
    return Promise.race([written, late]).finally(() => inTime.abort())
  }

  async close(timeoutMs: number): Promise<void> {
    clearInterval(this.#search)
    this.#journal.seal()
    await this.flush(timeoutMs)
    await this.#writer.stop()
    this.#orphans.release()
    this.#journal.close()
  }

  #takeOver(): void {
    if (this.#orphans.search()) void this.#writer.start()
  }
}

/** How records are taken. */
interface RecorderOptions {
  /** Which texts are kept now. */
  texts(): TextPolicy
  readonly journal: Journal
  /** Whether the journal needs what lines say. */
  readonly remembers: boolean
  readonly counters: StoreCounters
  readonly whenFull: 'reject' | 'drop'
  readonly recordLimitBytes: number
  readonly now: () => number
  /** A new id for an audit row. */
  readonly newId: () => string
}

/** A line, with what it says where the journal needs that. */
type Taken = Pick<Line, 'line'> & Partial<Line>

/** Takes records into the journal. */
function createRecorder(options: RecorderOptions): Recorder {
  const { journal, remembers, counters, whenFull, recordLimitBytes, texts, now, newId } = options
  const lineOf = remembers ? runLine : lineOfRun

  const fits = ({ line }: Taken): boolean => line.length * 3 <= recordLimitBytes || Buffer.byteLength(line) <= recordLimitBytes

  /** Not async, because every request waits for it: all records of one turn share the promise of the journal. */
  const take = <What>(record: What, write: (record: What) => Taken): Promise<void> => {
    let written: Taken
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

  const writeRun = (record: RunRecord): Taken => {
    if (!isRecordId(record.id)) throw new TypeError('a run needs an id of 1 to 200 characters')
    const { keepText, isName } = texts()
    const written: Taken = lineOf(record, keepText, isName)
    // What was said may go, that it was said must not.
    return keepText && !fits(written) ? lineOf(record, false, isName) : written
  }

  const writeAudit = (row: AuditRow): Taken => {
    const at = typeof row.ts === 'number' ? row.ts : now()
    return auditLine({ id: newId(), at, row: keptAudit(row, texts().keepAuditText) })
  }

  return { run: (record) => take(record, writeRun), audit: (row) => take(row, writeAudit) }
}
