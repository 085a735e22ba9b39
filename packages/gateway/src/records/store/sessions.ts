import type { Engine } from './engine/engine.ts'
import { keepNewest } from './row-limit.ts'

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
