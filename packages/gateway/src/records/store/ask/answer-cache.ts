import type { Engine } from '../engine/engine.ts'
import { keepNewest } from '../row-limit.ts'

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
