import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Recorder } from '../run/run-record.ts'
import { newCounters, type StoreCounters } from './counters.ts'
import type { Engine } from './engine/engine.ts'
import { Journal } from './journal/journal.ts'
import type { JournalFiles } from './journal/journal-files.ts'
import type { TextPolicy } from './journal/line.ts'
import { Orphans } from './journal/orphans.ts'
import { createRecorder } from './recorder.ts'
import { AlertSwitch } from './store-alert.ts'
import type { CompleteOptions } from './store-options.ts'
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
    this.#journalAlerts = new AlertSwitch('journal', onAlert)
    this.#journal = new Journal({
      files,
      newOwner: () => `${process.pid}x${randomBytes(8).toString('hex')}`,
      limitBytes: journalLimitBytes,
      segmentBytes: Math.min(segmentBytes, Math.ceil(journalLimitBytes / 4)),
      alerts: this.#journalAlerts,
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
    this.recorder = createRecorder({ ...options, texts, journal: this.#journal, counters, newId: randomUUID })
    this.#search = setInterval(() => this.#takeOver(), adoptEveryMs).unref()
    this.#takeOver()
  }

  get journal(): { readonly ok: boolean; readonly bytes: number; readonly waitingBytes: number } {
    return { ok: !this.#journalAlerts.failing, bytes: this.#journal.bytes, waitingBytes: this.#journal.unread }
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
