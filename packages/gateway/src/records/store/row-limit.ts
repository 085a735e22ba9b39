import { type Kysely, sql } from 'kysely'
import type { Tables } from './rows/tables.ts'

/** Makes a function to call after each insert; it occasionally deletes the oldest rows. In between, a table may grow by a sixteenth. */
export function keepNewest(
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
