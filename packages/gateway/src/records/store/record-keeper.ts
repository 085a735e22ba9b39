import { randomBytes, randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemClock, waitAtMost } from '@stickler/core/internal'
import type { AuditRow, Recorder, RunRecord, ShadowRecord, ShadowRecorder } from '../run/run-record.ts'
import type { Engine } from './engine/engine.ts'
import { Journal, lockName, ownersOf } from './journal/journal.ts'
import type { JournalFiles, JournalLock } from './journal/journal-files.ts'
import { entryOfAudit, entryOfRun, isRecordId, type TextPolicy } from './journal/line.ts'
import { type Chunk, type ChunkSource, Segment } from './journal/segment.ts'
import { shadowEntry } from './rows/entry.ts'
import type { StoreCounters } from './store.ts'
import { AlertSwitch } from './store-alert.ts'
import type { CompleteOptions } from './store-options.ts'
import { StoreUnavailable } from './store-unavailable.ts'
import { Writer } from './writer.ts'

const startNowBytes = 512 * 1024

/** Takes records into the journal, and lets the writer move them into the database. */
export class RecordKeeper {
  readonly recorder: Recorder & ShadowRecorder
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

  /** The settings of what is stored have changed. */
  review(): void {
    this.#journal.review()
  }

  /** Waits until all records so far are in the database; returns whether that happened in time. */
  async flush(timeoutMs: number): Promise<boolean> {
    await nextTurn()
    const written = this.#writer.flush().then(() => true)
    return waitAtMost(written, { clock: systemClock, timeoutMs }, () => false)
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

/** Counters at zero. */
function newCounters(): StoreCounters {
  return { recorded: 0, written: 0, dropped: 0, rejected: 0, tornLines: 0, brokenLines: 0, refused: 0, failures: 0 }
}

/** Settings of the recorder. */
interface RecorderOptions {
  /** Which texts are currently stored. */
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
function createRecorder(options: RecorderOptions): Recorder & ShadowRecorder {
  const { journal, counters, whenFull, recordLimitBytes, texts, now, newId } = options

  const fits = (line: string): boolean => line.length * 3 <= recordLimitBytes || Buffer.byteLength(line) <= recordLimitBytes

  /** Not async, because every request waits for it: all records of one turn share the promise of the journal. */
  const take = <What>(record: What, write: (record: What) => string): Promise<void> => {
    let line: string
    try {
      line = write(record)
      if (!fits(line)) throw new StoreUnavailable('too-large', 'the record is too large')
      if (journal.isFull()) {
        if (whenFull === 'reject') throw new StoreUnavailable('journal-full', 'the journal is full')
        counters.dropped++
        return Promise.resolve()
      }
    } catch (error) {
      counters.rejected++
      return Promise.reject(error)
    }
    return journal.append(line)
  }

  const writeRun = (record: RunRecord): string => {
    if (!isRecordId(record.id)) throw new TypeError('a run needs an id of 1 to 200 characters')
    const policy = texts()
    const line = JSON.stringify(entryOfRun(record, policy))
    // The text may be dropped, the fact that there was one must not.
    return policy.keepText && !fits(line) ? JSON.stringify(entryOfRun(record, { ...policy, keepText: false })) : line
  }

  const writeAudit = (row: AuditRow): string => {
    const at = typeof row.ts === 'number' ? row.ts : now()
    return JSON.stringify(entryOfAudit({ id: newId(), at, row }, texts()))
  }

  const writeShadow = (record: ShadowRecord): string => JSON.stringify(shadowEntry(record))

  return { run: (record) => take(record, writeRun), audit: (row) => take(row, writeAudit), shadow: (record) => take(record, writeShadow) }
}

/** The journals taken over from dead processes. */
class Orphans implements ChunkSource {
  readonly #files: JournalFiles
  #found: readonly Orphan[] = []

  constructor(files: JournalFiles) {
    this.#files = files
  }

  /** Looks for journals without a living process, and returns whether there are any. */
  search(): boolean {
    try {
      this.#found = [...this.#found, ...findOrphans(this.#files)]
    } catch {
      // An unreadable folder is tried again later.
    }
    return this.#found.length > 0
  }

  next(): Chunk | undefined {
    for (let [first] = this.#found; first !== undefined; [first] = this.#found) {
      try {
        const chunk = first.next()
        if (chunk) return chunk
      } catch {
        // An unreadable file must not block the others; it stays for the next search.
      }
      this.#found = this.#found.slice(1)
      first.release()
    }
    return undefined
  }

  release(): void {
    for (const orphan of this.#found) orphan.release()
    this.#found = []
  }
}

/** The journal of a dead process; files are removed once they are in the database. */
class Orphan implements ChunkSource {
  readonly #files: JournalFiles
  readonly #lock: JournalLock
  readonly #names: string[]
  #segment: Segment | undefined

  constructor(files: JournalFiles, lock: JournalLock, names: readonly string[]) {
    this.#files = files
    this.#lock = lock
    this.#names = [...names]
  }

  next(): Chunk | undefined {
    while (true) {
      const [name] = this.#names
      if (name === undefined) return undefined
      const segment = this.#segment ?? this.#open(name)
      this.#segment = segment
      // Its process is dead, so there is nothing to wait for.
      if (segment.unread > 0) return segment.next((end) => segment.done(end))
      segment.close()
      this.#segment = undefined
      this.#files.remove(name)
      this.#names.shift()
    }
  }

  /** Its lines may have been written under other settings. */
  #open(name: string): Segment {
    const file = this.#files.open(name)
    return new Segment(name, file, { size: file.size(), isCurrent: false })
  }

  /** Releases the rest, for another process or a later start. */
  release(): void {
    this.#segment?.close()
    this.#segment = undefined
    this.#lock.release({ remove: this.#names.length === 0 })
  }
}

/** Takes over every journal without a living owner. */
export function findOrphans(files: JournalFiles): readonly Orphan[] {
  return [...ownersOf(files.list()).keys()].flatMap((owner) => {
    const lock = files.lock(lockName(owner))
    if (!lock) return []
    // Listed again, because its owner may have been alive a moment ago.
    const names = ownersOf(files.list()).get(owner) ?? []
    if (names.length > 0) return [new Orphan(files, lock, names)]
    lock.release({ remove: true })
    return []
  })
}
