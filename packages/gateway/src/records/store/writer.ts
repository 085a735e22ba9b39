import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Engine } from './engine/engine.ts'
import { readLine, type TextPolicy } from './journal/line.ts'
import { type Chunk, type ChunkSource, linesIn } from './journal/segment.ts'
import { type Entry, tableRows } from './rows/entry.ts'
import type { StoreCounters } from './store.ts'
import type { AlertListener, AlertSwitch } from './store-alert.ts'
import { databaseFailure } from './store-unavailable.ts'

/** Settings of the writer. */
interface WriterOptions {
  /** Which texts are currently stored. */
  texts(): TextPolicy
  readonly engine: Engine
  readonly counters: StoreCounters
  readonly alerts: AlertSwitch
  readonly onAlert: AlertListener
  readonly batchMs: number
  readonly batchRecords: number
  /** The sources of lines; the first with waiting lines is served. */
  readonly sources: readonly ChunkSource[]
  /** Stores a line whose values the database rejects. */
  readonly refuse: (line: string) => boolean
}

const firstPauseMs = 50
const longestPauseMs = 5000

/** Moves lines of journals into the database in batches, and repeats a failed batch. */
export class Writer {
  readonly #options: WriterOptions
  readonly #stop = new AbortController()
  #flushing = 0
  #resting = false
  #timer: NodeJS.Timeout | undefined
  #work: Promise<void> | undefined

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Called when there are new lines: they are written soon, together with those that arrive until then. */
  wake(): void {
    if (this.#work || this.#timer || this.#stop.signal.aborted) return
    this.#timer = setTimeout(() => void this.start(), this.#options.batchMs).unref()
  }

  /** Writes all waiting lines, without waiting for more. */
  async flush(): Promise<void> {
    this.#flushing++
    try {
      // The running loop may be about to sleep.
      await this.start()
      await this.start()
    } finally {
      this.#flushing--
    }
  }

  /** Writes now. */
  start(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#work ??= this.#run().finally(() => {
      this.#work = undefined
      if (this.#resting) this.wake()
    })
    return this.#work
  }

  /** Stops after the current batch; lines that are not in the database stay in their journals. */
  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#work
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    for (let pauseMs = firstPauseMs; !signal.aborted; ) {
      try {
        const chunk = this.#next()
        this.#resting = false
        if (!chunk) return
        await this.#write(chunk)
        pauseMs = firstPauseMs
        if (this.#resting && this.#flushing === 0) return
        await nextTurn()
      } catch (error) {
        this.#options.counters.failures++
        this.#options.alerts.failed(databaseFailure(error).message)
        await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {})
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
  }

  #next(): Chunk | undefined {
    for (const source of this.#options.sources) {
      const chunk = source.next()
      if (chunk) return chunk
    }
    return undefined
  }

  async #write(chunk: Chunk): Promise<void> {
    const { counters, onAlert, refuse, texts } = this.#options
    if (!(await this.#writeElsewhere(chunk))) {
      const unreadable = await this.#writeLines(chunk)
      if (unreadable === undefined) return
      const { keepText, keepAuditText } = texts()
      // What they hold is not known.
      const kept = keepText && keepAuditText ? unreadable.filter(refuse).length : 0
      counters.brokenLines += unreadable.length
      if (unreadable.length > 0) {
        const message = `${unreadable.length} lines of a journal could not be read; ${kept} of them are in refused.jsonl beside it`
        onAlert({ kind: 'lines-skipped', message })
      }
    }
    chunk.done()
    if (chunk.torn) counters.tornLines++
  }

  /** Returns whether the engine wrote the lines off the event loop; if it rejects values, they are written line by line. */
  async #writeElsewhere({ bytes, isCurrent, isCut }: Chunk): Promise<boolean> {
    const { engine, alerts, counters } = this.#options
    if (!isCurrent || !engine.insertLines) return false
    try {
      counters.written += await engine.insertLines(bytes)
      alerts.worked()
      this.#resting = !isCut
      return true
    } catch (error) {
      if (engine.isDataError(error)) return false
      throw error
    }
  }

  /** Returns the unreadable lines; undefined when stopped. */
  async #writeLines({ bytes, isCurrent, isCut }: Chunk): Promise<readonly string[] | undefined> {
    const size = Math.min(this.#options.batchRecords, this.#options.engine.transactionRecords)
    const lines = linesIn(bytes)
    const unreadable: string[] = []
    for (let start = 0; start < lines.length; start += size) {
      if (start > 0) await nextTurn()
      if (this.#stop.signal.aborted) return undefined
      const part: Entry[] = []
      for (const line of lines.slice(start, start + size)) {
        const entry = readLine(line, isCurrent ? undefined : this.#options.texts())
        if (entry) part.push(entry)
        else unreadable.push(line)
      }
      await this.#transact(part)
    }
    // A transaction costs about the same for few records as for many, so after a small batch it pays to wait.
    this.#resting = !isCut && lines.length < size
    return unreadable
  }

  /** One transaction; a record whose values the database rejects must not block the others. */
  async #transact(records: readonly Entry[]): Promise<void> {
    const { engine, alerts, counters, onAlert, refuse } = this.#options
    if (records.length === 0) return
    try {
      await engine.insert(tableRows(records))
      alerts.worked()
      counters.written += records.length
    } catch (error) {
      const [only] = records
      if (!only || !engine.isDataError(error)) throw error
      if (records.length === 1) {
        refuse(JSON.stringify(only))
        counters.refused++
        onAlert({ kind: 'records-refused', message: `the database refuses a record: ${databaseFailure(error).message}` })
        return
      }
      const half = Math.ceil(records.length / 2)
      await this.#transact(records.slice(0, half))
      await this.#transact(records.slice(half))
    }
  }
}
