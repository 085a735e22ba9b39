import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, type SqliteDatabase, SqliteDialect, sql } from 'kysely'
import { codeOf, databaseFailure } from '../store-unavailable.ts'
import type { Engine } from './engine.ts'
import { sqliteDatabase } from './sqlite-database.ts'
import type { Tables } from './tables.ts'

const turnMs = 10

/** Opens SQLite in a file, or in memory. */
export async function openSqlite(path: string, { busyTimeoutMs }: { readonly busyTimeoutMs: number }): Promise<Engine> {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: await openFile(path, busyTimeoutMs) }) })
  return {
    name: 'sqlite',
    db,
    // SQLite works on the thread of the event loop: short transactions, other work between them.
    transactionRecords: 200,
    types: {
      text: sql`text`,
      integer: sql`integer`,
      real: sql`real`,
      sequence: sql`integer primary key autoincrement`,
    },
    placeholder: () => '?',
    exclusively: (_work, task) =>
      db.connection().execute(async (connection) => {
        await begin(connection, busyTimeoutMs)
        try {
          const result = await task(connection)
          await sql`commit`.execute(connection)
          return result
        } catch (error) {
          await sql`rollback`.execute(connection).catch(() => {})
          throw error
        }
      }),
    isDataError: (error) => error instanceof TypeError || /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(codeOf(error) ?? ''),
    close: () => db.destroy(),
  }
}

/** Waits for other writers without holding up the event loop; a deferred transaction could not wait at all once it writes. */
async function begin(connection: Kysely<Tables>, busyTimeoutMs: number): Promise<void> {
  await sql`pragma busy_timeout = 0`.execute(connection)
  try {
    for (let left = Math.ceil(busyTimeoutMs / turnMs); ; left--) {
      try {
        await sql`begin immediate`.execute(connection)
        return
      } catch (error) {
        if (left === 0 || !isBusy(error)) throw error
        await delay(turnMs)
      }
    }
  } finally {
    await sql`pragma busy_timeout = ${sql.lit(busyTimeoutMs)}`.execute(connection)
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? '')
}

/** Switching a new file to WAL needs it alone and does not wait, so several processes that start at once take turns. */
async function openFile(path: string, busyTimeoutMs: number): Promise<SqliteDatabase> {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  for (let left = 200; ; left--) {
    try {
      return sqliteDatabase(path, busyTimeoutMs)
    } catch (error) {
      if (left === 0 || !isBusy(error)) throw databaseFailure(error)
      await delay(turnMs)
    }
  }
}
