import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemCode } from '@stickler/core/internal'
import { Kysely, SqliteDialect, sql } from 'kysely'
import type { Tables } from '../rows/tables.ts'
import { databaseFailure } from '../store-unavailable.ts'
import type { Engine } from './engine.ts'
import { insertRows } from './insert-statements.ts'
import { openRecordsThread } from './records-thread.ts'
import { type OpenDatabase, rollBack, type SqliteSettings, sqliteDatabase } from './sqlite-database.ts'

const turnMs = 10

/** Opens SQLite in a file or in memory; a thread may write the lines of the journal into the file. */
export async function openSqlite(path: string, settings: SqliteSettings & { readonly hasThread?: boolean }): Promise<Engine> {
  const { busyTimeoutMs, hasThread = false } = settings
  const database = await openFile(path, settings)
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) })
  const insert = insertRows(database)
  // A database in memory has only one connection.
  const thread = hasThread && path !== ':memory:' ? openRecordsThread({ path, busyTimeoutMs }) : undefined
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
    ...(thread && { insertLines: thread.insertLines, fold: thread.fold }),
    isDataError: (error) => error instanceof TypeError || /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(systemCode(error) ?? ''),
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
  return /^SQLITE_(BUSY|LOCKED)/.test(systemCode(error) ?? '')
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
    if (systemCode(error) !== 'EEXIST') throw databaseFailure(error)
  }
}
