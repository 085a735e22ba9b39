import { closeSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock, waitAtMost } from '@stickler/core/internal'
import { type Channel, type ChannelListener, openThread, Worker } from '@stickler/node/internal'
import { Kysely, SqliteDialect, sql } from 'kysely'
import type { LinePlace } from '../journal/segment.ts'
import type { Tables } from '../rows/tables.ts'
import { codeOf, databaseFailure } from '../store-unavailable.ts'
import type { Engine, Folded, FromThread, ThreadData, ThreadResult, ThreadTask, ToThread } from './engine.ts'
import { insertRows } from './insert-statements.ts'
import { type OpenDatabase, rollBack, type SqliteSettings, sqliteDatabase } from './sqlite-database.ts'

/** Maximum time for a thread to close its file. */
const closeMs = 5000

/** Each batch leaves only garbage, so a small heap is enough. */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** Writes lines of a journal into a SQLite file in a thread, one call at a time. It starts on first use, and again after it has ended; calls do not wait until it is ready. */
class WritingThread {
  readonly #data: ThreadData
  #thread: RecordsThread | undefined
  #last: Promise<void> = Promise.resolve()
  /** If the first thread could not start, no other is tried. */
  #isPossible: boolean | undefined

  constructor(data: ThreadData) {
    this.#data = data
  }

  /** Writes lines, and returns their number; throws a TypeError if the caller has to write them itself. */
  async insert(place: LinePlace): Promise<number> {
    const { written, code } = await this.#ask({ place })
    if (written !== undefined) return written
    throw code === undefined ? new TypeError('the thread cannot write the lines') : Object.assign(new Error(code), { code })
  }

  /** Adds runs to sums; undefined if the caller has to do that itself. */
  async fold(now: number): Promise<Folded | undefined> {
    return (await this.#ask({ fold: now })).folded
  }

  /** The thread does one thing at a time. */
  #ask(task: ThreadTask): Promise<ThreadResult> {
    if (this.#isPossible !== false) this.#thread ??= this.#start()
    const asked = this.#last.then(() => (this.#thread?.isReady ? this.#thread.run(task) : {}))
    this.#last = asked.then(() => {})
    return asked
  }

  /** Ends the thread after its call, with its file closed. */
  async close(): Promise<void> {
    if (this.#thread === undefined) return
    await waitAtMost(this.#thread.close(), { clock: systemClock, timeoutMs: closeMs }, () => {})
  }

  #start(): RecordsThread {
    const thread = new RecordsThread(this.#data)
    void thread.ended.then(() => {
      this.#thread = undefined
      this.#isPossible ??= thread.isReady
    })
    return thread
  }
}

/** Starts a thread that is never terminated: the SQLite driver aborts the process if its thread is stopped during a call. */
function open(workerData: ThreadData, listener: ChannelListener<FromThread>): Channel<ToThread> {
  // The package name resolves to the built file, both from sources and from a build.
  const entry = createRequire(import.meta.url).resolve('@stickler/gateway/internal/records')
  // Options of the process's own script, such as --input-type, would prevent the thread from starting.
  const options = { name: 'stickler-records', workerData, execArgv: [], resourceLimits }
  const thread = openThread<ToThread, FromThread>(entry, options, listener)
  return { ...thread, stop: () => thread.send('close') }
}

/** A thread with its own connection. */
class RecordsThread extends Worker<ToThread, FromThread> {
  isReady = false
  #call = 0

  constructor(data: ThreadData) {
    super(systemClock, (listener) => open(data, listener))
  }

  /** Nothing is known of a task if the thread ends before its answer. */
  run(task: ThreadTask): Promise<ThreadResult> {
    return this.ask<ThreadResult>({ call: ++this.#call, ...task }).catch(() => ({}))
  }

  /** Unlike `end`, lets the current call finish: the journal is truncated by its result. */
  close(): Promise<void> {
    this.post('close')
    return this.ended
  }

  protected hear(message: FromThread): void {
    if (message === 'ready') this.isReady = true
    // The journal is truncated by this result, so only the answer to this call counts.
    else if (message.call === this.#call) this.settle(message)
  }

  protected failureOf(): Error {
    return new Error('the thread ended')
  }
}

const turnMs = 10

/** Opens SQLite in a file or in memory; with a number of records per transaction, a thread writes the lines of the journal into the file. */
export async function openSqlite(path: string, settings: SqliteSettings & { readonly batchRecords?: number }): Promise<Engine> {
  const { busyTimeoutMs, batchRecords } = settings
  const database = await openFile(path, settings)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  const insert = insertRows(database)
  // A database in memory has only one connection.
  const thread = path === ':memory:' || batchRecords === undefined ? undefined : new WritingThread({ path, busyTimeoutMs, batchRecords })
  const exclusively = <Result>(task: (connection: Kysely<Tables>) => Promise<Result> | Result): Promise<Result> =>
    db.connection().execute(async (connection) => {
      await begin(database, busyTimeoutMs)
      try {
        const result = await task(connection)
        database.exec('commit')
        return result
      } catch (error) {
        rollBack(database)
        throw error
      }
    })
  return {
    name: 'sqlite',
    db,
    // SQLite runs on the thread of the event loop: transactions are short, with other work between them.
    transactionRecords: 256,
    // No other transaction runs meanwhile, and beginning and committing cost more than small tasks.
    taskTransactions: { tasks: 64, atOnce: 1 },
    types: {
      text: sql`text`,
      integer: sql`integer`,
      real: sql`real`,
      sequence: sql`integer primary key autoincrement`,
    },
    migrate: exclusively,
    transaction: exclusively,
    insert: (tables) => exclusively(() => insert(tables)),
    ...(thread && { insertLines: (place: LinePlace) => thread.insert(place), fold: (now: number) => thread.fold(now) }),
    isDataError: (error) => error instanceof TypeError || /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(codeOf(error) ?? ''),
    // Waits for other writers before the transaction begins.
    isConflict: () => false,
    async close() {
      await thread?.close()
      await db.destroy()
    },
  }
}

/** Waits for other writers without blocking the event loop; a deferred transaction could not wait once it writes. */
async function begin(database: OpenDatabase, busyTimeoutMs: number): Promise<void> {
  // Most writers hold the lock for less than a millisecond.
  for (let turn = 1, left = busyTimeoutMs; ; left -= turn, turn = Math.min(turnMs, turn + 1)) {
    try {
      // The pragma takes effect when compiled, so it must not be a prepared statement.
      database.exec('pragma busy_timeout = 0; begin immediate')
      return
    } catch (error) {
      if (left <= 0 || !isBusy(error)) throw error
    } finally {
      database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
    }
    await delay(turn)
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? '')
}

/** Switching a new file to WAL needs an exclusive lock and does not wait for it, so processes that start together retry. */
async function openFile(path: string, settings: SqliteSettings): Promise<OpenDatabase> {
  if (path !== ':memory:' && !settings.isRead) {
    mkdirSync(dirname(path), { recursive: true })
    createPrivate(path)
  }
  for (let left = 200; ; left--) {
    try {
      return sqliteDatabase(path, settings)
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw databaseFailure(error)
      await delay(turnMs)
    }
  }
}

/** Only the gateway's user may read the records; SQLite gives its other files the same permissions. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw databaseFailure(error)
  }
}
