import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { systemCode } from '@stickler/core/internal'
import { RetrieverUnavailable } from '../../retriever.ts'
import { unlessAborted } from '../unless-aborted.ts'
import { DamagedFile, fileFailure, isBusy, isReadOnly } from './failures.ts'
import { createIndex, hasIndex, type Query } from './schema.ts'

/** A file of which nothing is kept, for an index in memory. */
export const inMemory = ':memory:'

const writerWaitsMs = 30_000
const readerWaitsMs = 2000

/** Vectors of a few KB waste less in large pages. Readers continue while a log is written; a power cut may lose the last documents but leaves the index intact. The log shrinks again. */
const forWriting = 'pragma page_size = 32768; pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 67108864'

/** What libsql offers outside of this thread; its own types name files that it does not ship. */
interface Database {
  prepare(text: string): Promise<Statement>
  exec(text: string): Promise<void>
  interrupt(): void
  close(): void
}

interface Statement {
  readonly reader: boolean
  raw(): Statement
  all(values: readonly unknown[]): Promise<unknown[][]>
}

/** Loaded with the first index file. */
const load = (): (new (path: string, options: object) => Database) => createRequire(import.meta.url)('libsql/promise')

interface Open {
  readonly database: Database
  readonly query: Query
  /** Which file it is, and, of one that cannot be written, which state of it: SQLite does not notice that others change it. */
  readonly seen: string
  readonly isImmutable: boolean
}

/** A connection to an index file, which performs one call at a time outside of this thread: opened on first use, again when the file was replaced, and created by the first write. */
export class Connection {
  readonly #path: string
  #open: Open | undefined
  #last: Promise<unknown> = Promise.resolve()
  #closing = new AbortController()
  #hasWritten = false

  constructor(path: string) {
    this.#path = path
  }

  /** Reads one state of the file; `nothing` while there is no index. */
  read<Result>(nothing: Result, work: (query: Query) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#inTurn(signal, async (left) => {
      const open = await this.#connect(left)
      if (open === undefined) return nothing
      const { query, database } = open
      return whenFree(readerWaitsMs, left, () =>
        inTransaction(database, 'begin', async () => ((await hasIndex(query, this.#path)) ? work(query) : nothing)),
      )
    })
  }

  /** Writes all or nothing, after other writers. */
  write(work: (query: Query, signal: AbortSignal) => Promise<void>, signal?: AbortSignal): Promise<void> {
    return this.#inTurn(signal, async (left) => {
      if (this.#path !== inMemory) createPrivate(this.#path)
      const open = await this.#connect(left)
      if (open === undefined) throw new Error('the file was removed')
      const { query, database } = open
      await whenFree(writerWaitsMs, left, async () => {
        // A file that is not ours is rejected before anything in it is changed.
        await inTransaction(database, 'begin', () => hasIndex(query, this.#path))
        await database.exec(forWriting)
        await inTransaction(database, 'begin immediate', async () => {
          if (!(await hasIndex(query, this.#path))) await createIndex(query)
          await work(query, left)
          left.throwIfAborted()
        })
      })
      this.#hasWritten = true
    })
  }

  /** Ends waiting calls and closes the file; one that was written here is left complete, without SQLite's files beside it. */
  async close(): Promise<void> {
    this.#closing.abort(new RetrieverUnavailable('the index is closed'))
    await this.#last
    // Active readers prevent it: the next writer does it.
    if (this.#hasWritten) await this.#open?.database.exec('pragma wal_checkpoint(truncate)').catch(() => {})
    this.#disconnect()
  }

  /** Performs calls one after the other; a running one whose caller leaves is interrupted. */
  async #inTurn<Result>(signal: AbortSignal | undefined, work: (left: AbortSignal) => Promise<Result>): Promise<Result> {
    const left = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal])
    const turn = this.#last.then(async () => {
      left.throwIfAborted()
      const interrupt = (): void => this.#open?.database.interrupt()
      left.addEventListener('abort', interrupt)
      try {
        return await work(left)
      } catch (error) {
        left.throwIfAborted()
        throw fileFailure(error, this.#path)
      } finally {
        left.removeEventListener('abort', interrupt)
      }
    })
    this.#last = turn.catch(() => {})
    return unlessAborted(turn, left)
  }

  async #connect(left: AbortSignal): Promise<Open | undefined> {
    const seen = lookAt(this.#path, this.#open?.isImmutable)
    if (this.#open !== undefined && this.#open.seen !== seen) this.#disconnect()
    if (seen === undefined) return undefined
    this.#open ??= await whenFree(readerWaitsMs, left, () => connect(this.#path))
    return this.#open
  }

  #disconnect(): void {
    this.#open?.database.close()
    this.#open = undefined
  }
}

/** Opens a file for reading and writing, or for reading where its folder cannot be written. */
async function connect(path: string): Promise<Open> {
  try {
    return await opened(path, path, false)
  } catch (error) {
    // Without the files of its write-ahead log, a file in a folder that cannot be written is readable only as one that never changes.
    if (!isReadOnly(error)) throw error
    return opened(path, `${pathToFileURL(path).href}?immutable=1`, true)
  }
}

async function opened(path: string, address: string, isImmutable: boolean): Promise<Open> {
  const Database = load()
  const database = new Database(address, {})
  const statements = new Map<string, Statement>()
  const query: Query = async (text, values = []) => {
    const known = statements.get(text) ?? (await database.prepare(text))
    statements.set(text, known)
    return (known.reader ? known.raw() : known).all(values)
  }
  try {
    // Fails here for anything but a database.
    await query('pragma schema_version')
    await database.exec('pragma cache_size = -16000; pragma temp_store = memory')
    return { database, query, seen: lookAt(path, isImmutable) ?? '', isImmutable }
  } catch (error) {
    database.close()
    throw error
  }
}

function lookAt(path: string, isImmutable = false): string | undefined {
  if (path === inMemory) return path
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat && [stat.dev, stat.ino, ...(isImmutable ? [stat.size, stat.mtimeNs] : [])].join(':')
}

/** Retries while other processes lock the file, for a limited time: SQLite itself does not wait for all of its locks. */
async function whenFree<Result>(waitMs: number, left: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + waitMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
    }
    await delay(10, undefined, { signal: left })
  }
}

/** Runs work in one transaction, so that all of it sees the same state. */
async function inTransaction<Result>(database: Database, begin: string, work: () => Promise<Result>): Promise<Result> {
  await database.exec(begin)
  try {
    const result = await work()
    await database.exec('commit')
    return result
  } catch (error) {
    // Some errors have ended the transaction already.
    await database.exec('rollback').catch(() => {})
    throw error
  }
}

/** The index is readable by its owner alone; SQLite gives the files beside it the same permissions. */
function createPrivate(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return
  mkdirSync(dirname(path), { recursive: true })
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a text that was selected as bytes: one that is not UTF-8 would end the whole process in libsql 0.5. */
export function decoded(bytes: unknown): string {
  try {
    return strict.decode(bytes as Uint8Array)
  } catch {
    throw new DamagedFile('a text is not UTF-8')
  }
}
