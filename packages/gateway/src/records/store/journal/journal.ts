import type { AlertSwitch } from '../store-alert.ts'
import { journalFailure, StoreUnavailable } from '../store-unavailable.ts'
import type { JournalFiles, JournalLock } from './journal-files.ts'
import { type Chunk, type ChunkSource, Segment } from './segment.ts'

/** Settings of a journal. */
interface JournalOptions {
  readonly files: JournalFiles
  /** Unique for every journal ever made: small letters and digits. */
  readonly newOwner: () => string
  readonly limitBytes: number
  readonly segmentBytes: number
  readonly alerts: AlertSwitch
  /** Called with the number of new lines. */
  readonly onAppend: (lines: number) => void
  /** Called with the number of lines that could not be written. */
  readonly onLoss?: (lines: number) => void
}

interface Batch {
  readonly lines: string[]
  readonly written: Promise<void>
  settle(error?: StoreUnavailable): void
}

const bufferBytes = 256 * 1024

/** Acknowledged records that are not yet in the database; one journal per process, in files that only grow until all their lines are read. */
export class Journal implements ChunkSource {
  readonly #options: JournalOptions
  readonly #segments: Segment[] = []
  #buffer: Buffer | undefined
  #owner: { readonly id: string; readonly lock: JournalLock } | undefined
  #created = 0
  #batch: Batch | undefined
  /** Lines of the previous turn of the event loop with any, and of this one. */
  #before = 0
  #now = 0
  #pending = 0
  #full = false
  #closed = false

  constructor(options: JournalOptions) {
    this.#options = options
  }

  /** Bytes on disk. */
  get bytes(): number {
    let sum = 0
    for (const { size } of this.#segments) sum += size
    return sum
  }

  get unread(): number {
    let sum = 0
    for (const { unread } of this.#segments) sum += unread
    return sum
  }

  /** Whether the journal is full; once full, it stays so until a quarter is free. */
  isFull(): boolean {
    const { limitBytes, alerts } = this.#options
    const used = this.bytes + this.#pending
    this.#full = used >= (this.#full ? limitBytes * 0.75 : limitBytes)
    if (this.#full) alerts.failed('the journal is full, because the database does not take its records')
    return this.#full
  }

  /** Adds a line; the promise resolves when the operating system has it, so that the end of this process cannot lose it. */
  append(line: string): Promise<void> {
    if (this.#closed) {
      this.#options.onLoss?.(1)
      return Promise.reject(new StoreUnavailable('closed', 'the store is closed'))
    }
    if (this.#now === 0) setImmediate(this.#endTurn)
    this.#now++
    const batch = this.#batch ?? newBatch()
    this.#batch = batch
    batch.lines.push(line)
    this.#pending += line.length + 1
    // With one record at a time there is no other to wait for.
    if (this.#now === 1 && this.#before <= 1) this.#flush()
    return batch.written
  }

  next(): Chunk | undefined {
    const segment = this.#segments[0]
    if (!segment || segment.unread === 0) return undefined
    return segment.next((end) => this.#done(segment, end), this.#segments.length === 1)
  }

  /** The settings of what is stored have changed: waiting lines must be read again under the new ones. */
  review(): void {
    this.#flush()
    for (const segment of this.#segments) segment.review()
  }

  /** Writes pending lines and accepts no more. */
  seal(): void {
    this.#flush()
    this.#closed = true
  }

  /** Removes its files if everything has been read. */
  close(): void {
    this.seal()
    const finished = this.unread === 0
    for (const segment of this.#segments.splice(0)) {
      segment.close()
      if (finished) this.#options.files.remove(segment.name)
    }
    this.#owner?.lock.release({ remove: finished })
    this.#owner = undefined
  }

  /** All records of one turn of the event loop share one write and one promise. */
  readonly #endTurn = (): void => {
    this.#before = this.#now
    this.#now = 0
    this.#flush()
  }

  #flush(): void {
    const batch = this.#batch
    if (!batch) return
    this.#batch = undefined
    this.#pending = 0
    const { alerts, onAppend, onLoss } = this.#options
    try {
      this.#active().append(this.#encode(`${batch.lines.join('\n')}\n`))
    } catch (error) {
      const failure = journalFailure(error)
      alerts.failed(failure.message)
      onLoss?.(batch.lines.length)
      batch.settle(failure)
      return
    }
    if (!this.#full) alerts.worked()
    batch.settle()
    onAppend(batch.lines.length)
  }

  /** The same buffer serves every write that fits, because there is one in almost every turn. */
  #encode(text: string): Uint8Array {
    if (text.length * 3 > bufferBytes) return Buffer.from(text)
    this.#buffer ??= Buffer.allocUnsafeSlow(bufferBytes)
    return this.#buffer.subarray(0, this.#buffer.write(text))
  }

  /** The current segment; a new one when the last has grown large. */
  #active(): Segment {
    const last = this.#segments.at(-1)
    if (last?.isCurrent && last.size < this.#options.segmentBytes) return last
    const { files } = this.#options
    this.#owner ??= this.#claim()
    const name = segmentName(this.#owner.id, this.#created)
    const segment = new Segment(name, files.create(name), { size: 0, isCurrent: true })
    this.#created++
    this.#segments.push(segment)
    return segment
  }

  #claim(): { readonly id: string; readonly lock: JournalLock } {
    const { files, newOwner } = this.#options
    files.prepare()
    for (let left = 10; left > 0; left--) {
      const id = newOwner()
      const lock = files.lock(lockName(id))
      if (lock) return { id, lock }
    }
    throw new StoreUnavailable('io', 'the journal cannot be locked')
  }

  #done(segment: Segment, end: number): void {
    segment.done(end)
    if (segment.unread > 0) return
    if (this.#segments.length === 1) {
      segment.reset()
      return
    }
    this.#segments.shift()
    segment.close()
    this.#options.files.remove(segment.name)
  }
}

function newBatch(): Batch {
  let settle: Batch['settle'] = () => {}
  const written = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve())
  })
  return { lines: [], written, settle }
}

/** The name of a file of a journal, by owner and number. */
export function segmentName(owner: string, number: number): string {
  return `journal-${owner}-${number}.jsonl`
}

/** The name of the lock of an owner. */
export function lockName(owner: string): string {
  return `journal-${owner}.lock`
}

/** The owners of all journals among the names, each with its files in order. */
export function ownersOf(names: readonly string[]): Map<string, string[]> {
  const numbers = new Map<string, number[]>()
  for (const name of names) {
    const [, owner, number, locked] = /^journal-([0-9a-z]{1,64})(?:-(\d{1,15})\.jsonl|(\.lock))$/.exec(name) ?? []
    if (owner === undefined) continue
    const known = numbers.get(owner) ?? []
    numbers.set(owner, locked === undefined ? [...known, Number(number)] : known)
  }
  return new Map([...numbers].map(([owner, list]) => [owner, list.sort((a, b) => a - b).map((number) => segmentName(owner, number))]))
}
