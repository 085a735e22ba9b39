import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine/engine.ts'
import type { Tables } from './rows/tables.ts'

/** Cached answers of `/ask`; every value is JSON. */
export interface AnswerCache {
  /** The value of a key, unless it has expired. */
  get(key: string): Promise<unknown>
  /** Stores a value for some seconds, and replaces an earlier one; values over 1 MB and keys over 256 characters are not stored. */
  set(key: string, value: unknown, ttlSeconds: number): Promise<void>
}

/** Clocks of several gateways differ a little. */
const skewMs = 60_000
const keyLimit = 256
const valueLimit = 1024 * 1024

/** A cache in the database: expired entries are deleted first, then the oldest. Between two clean-ups it may grow by a sixteenth. */
export function createAnswerCache(
  { db }: Engine,
  { entries, now }: { readonly entries: () => number; readonly now: () => number },
): AnswerCache {
  const removeExpired = () => db.deleteFrom('answer_cache').where('expires_at', '<=', now()).execute()
  const trim = keepNewest(db, 'answer_cache', entries, removeExpired)

  return {
    async get(key) {
      const row = await db
        .selectFrom('answer_cache')
        .select('value')
        .where('key', '=', key)
        .where('expires_at', '>', now())
        // An entry from the future was stored before the clock went back, and would never expire.
        .where('at', '<=', now() + skewMs)
        .executeTakeFirst()
      return row && JSON.parse(row.value)
    },
    async set(key, value, ttlSeconds) {
      const text = JSON.stringify(value)
      if (text === undefined || key.length > keyLimit || text.length > valueLimit || !(ttlSeconds > 0)) return
      const at = now()
      const row = { at, expires_at: Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(at + ttlSeconds * 1000)), value: text }
      await db
        .insertInto('answer_cache')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute()
      await trim()
    },
  }
}

/** Sessions of commands that later requests may resume, by the hash of their history. */
export interface RunnerSessions {
  /** Returns the session of a key and deletes it: only one of two requests gets it, even on different gateways. */
  take(key: string): Promise<string | undefined>
  keep(key: string, session: string): Promise<void>
}

/** Sessions in the database; when there are too many, the oldest are deleted. */
export function createRunnerSessions({ db }: Engine, limits: { readonly entries: number; readonly now: () => number }): RunnerSessions {
  const trim = keepNewest(db, 'runner_sessions', () => limits.entries)
  return {
    async take(key) {
      const row = await db.deleteFrom('runner_sessions').where('key', '=', key).returning('session').executeTakeFirst()
      return row?.session
    },
    async keep(key, session) {
      const row = { at: limits.now(), session }
      await db
        .insertInto('runner_sessions')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute()
      await trim()
    },
  }
}

/** Makes a function to call after each insert; it occasionally deletes the oldest rows. In between, a table may grow by a sixteenth. */
function keepNewest(
  db: Kysely<Tables>,
  table: 'answer_cache' | 'runner_sessions',
  entries: () => number,
  before: () => Promise<unknown> = async () => {},
): () => Promise<void> {
  let inserts = 0
  return async () => {
    inserts++
    const most = entries()
    if (inserts < Math.min(64, Math.floor(most / 16))) return
    inserts = 0
    await before()
    const newestFirst = db.selectFrom(table).select(['at', 'key']).orderBy('at', 'desc').orderBy('key', 'desc')
    const tooOld = await newestFirst.offset(most).limit(1).executeTakeFirst()
    if (tooOld) await db.deleteFrom(table).where(sql<boolean>`(at, key) <= (${tooOld.at}, ${tooOld.key})`).execute()
  }
}
