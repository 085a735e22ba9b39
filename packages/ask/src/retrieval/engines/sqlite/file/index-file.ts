import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Connection, connect } from './connection.ts'
import { createIndex, hasIndex } from './schema.ts'
import { codeOf, fileFailure, isBusy, UnusableFile } from './unusable-file.ts'

const writerWaitsMs = 30_000
const readerWaitsMs = 2000
const blindAttempts = 5

/**
 * Vectors of a few KB waste less in large pages. Readers continue while a log is written; without
 * waiting for the disk at each commit, a power cut may lose the last documents but leaves the index
 * intact, and they are indexed again. The log shrinks again.
 */
const forWriting = 'pragma page_size = 32768; pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 67108864'

/** Thrown within a transaction whose caller has left. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/**
 * An index file: opened on first use, again when it was replaced, and created by the first write.
 */
export class IndexFile {
  readonly path: string
  #open: { readonly connection: Connection; readonly seen: Seen } | undefined
  #times = 0

  constructor(path: string) {
    this.path = path
  }

  get exists(): boolean {
    return statSync(this.path, { throwIfNoEntry: false }) !== undefined
  }

  /** Grows each time the file is opened: caches of an earlier file are invalid. */
  get times(): number {
    return this.#times
  }

  /** Reads; `nothing` while there is no index. */
  read<Result>(nothing: Result, task: (connection: Connection) => Result): Result {
    return this.#guarded(() => {
      for (let left = blindAttempts; ; left--) {
        try {
          const result = this.#readOnce(nothing, task)
          if (!this.#wasOverwritten()) return result
        } catch (error) {
          if (!this.#wasOverwritten()) throw error
        }
        if (left === 0) throw new UnusableFile(`the index ${JSON.stringify(this.path)} is constantly being written`)
      }
    })
  }

  #readOnce<Result>(nothing: Result, task: (connection: Connection) => Result): Result {
    const connection = this.#connect()
    if (connection === undefined) return nothing
    return whenFree(() => inOneState(connection, () => (hasIndex(connection, this.path) ? task(connection) : nothing)), readerWaitsMs)
  }

  /**
   * Whether the result may mix states: SQLite does not notice changes of a file opened read-only.
   */
  #wasOverwritten(): boolean {
    return this.#open?.connection.isBlind === true && lookAt(this.path)?.content !== this.#open.seen.content
  }

  /** Writes all or nothing, after other writers. */
  write<Result>(task: (connection: Connection) => Result, isCancelled: () => boolean): Result {
    return this.#guarded(() => {
      createPrivate(this.path)
      const connection = this.#connect()
      if (connection === undefined) throw new Error('the file was removed')
      whenFree(
        () => {
          // A file that is not ours is rejected before anything in it is changed.
          inOneState(connection, () => hasIndex(connection, this.path))
          connection.exec(forWriting)
          connection.exec('begin immediate')
        },
        writerWaitsMs,
        isCancelled,
      )
      try {
        if (!hasIndex(connection, this.path)) createIndex(connection)
        const result = task(connection)
        if (isCancelled()) throw new Cancelled()
        connection.exec('commit')
        return result
      } catch (error) {
        end(connection, 'rollback')
        throw error
      }
    })
  }

  /** Leaves a single complete file without the files beside it, unless others still use them. */
  finish(): void {
    try {
      this.#open?.connection.exec('pragma wal_checkpoint(truncate)')
    } catch {
      // Active readers prevent it: the next writer does it.
    }
    this.close()
  }

  close(): void {
    this.#open?.connection.close()
    this.#open = undefined
  }

  #guarded<Result>(task: () => Result): Result {
    try {
      return task()
    } catch (error) {
      throw fileFailure(error, this.path)
    }
  }

  #connect(): Connection | undefined {
    const seen = lookAt(this.path)
    const part = this.#open?.connection.isBlind ? 'content' : 'file'
    if (this.#open !== undefined && this.#open.seen[part] !== seen?.[part]) this.close()
    if (seen === undefined) return undefined
    if (this.#open === undefined) {
      this.#open = { connection: connect(this.path), seen }
      this.#times++
    }
    return this.#open.connection
  }
}

/** Which file is there, and which state of it. */
interface Seen {
  readonly file: string
  readonly content: string
}

function lookAt(path: string): Seen | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  if (stat === undefined) return undefined
  const file = `${stat.dev}:${stat.ino}`
  return { file, content: `${file}:${stat.size}:${stat.mtimeNs}` }
}

/**
 * Retries while other processes lock the file: SQLite itself does not wait for all of its locks,
 * such as that for a new write-ahead log.
 */
function whenFree<Result>(task: () => Result, waitMs: number, isCancelled: () => boolean = () => false): Result {
  const until = performance.now() + waitMs
  for (;;) {
    if (isCancelled()) throw new Cancelled()
    try {
      return task()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  }
}

/** Reads in one transaction, so that all of it sees the same state: another process may create the index between two statements. */
function inOneState<Result>(connection: Connection, task: () => Result): Result {
  connection.exec('begin')
  try {
    return task()
  } finally {
    end(connection, 'commit')
  }
}

function end(connection: Connection, how: 'commit' | 'rollback'): void {
  try {
    connection.exec(how)
  } catch {
    // Some errors have ended the transaction already.
  }
}

/**
 * The index is readable by its owner alone; SQLite gives the files beside it the same permissions.
 */
function createPrivate(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return
  mkdirSync(dirname(path), { recursive: true })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
