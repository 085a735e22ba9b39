import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Engine } from './engine/engine.ts'

/** What a purge deleted. */
export interface Purged {
  readonly runs: number
  readonly audit: number
}

const batch = 200
const dayMs = 86_400_000
/** How long budgets and sessions of commands are kept where nothing is said of runs; Claude forgets its own after as long. */
const usualDays = 30

/** Deletes what is older than the retention, in small batches with time for others between them. */
export async function purge(
  { db }: Engine,
  { retentionDays, now }: { readonly retentionDays: number | undefined; readonly now: () => number },
): Promise<Purged> {
  await db.deleteFrom('answer_cache').where('expires_at', '<=', now()).execute()
  // Also where runs are kept for ever; a day that is over is only of use to requests that began on it, and to a clock that jumps back.
  const over = Math.floor(now() / dayMs) - Math.max(2, Math.ceil(retentionDays ?? usualDays))
  await db.deleteFrom('key_budgets').where('day', '<', over).execute()
  await db.deleteFrom('reservations').where('day', '<', over).execute()
  await db
    .deleteFrom('runner_sessions')
    .where('at', '<', now() - (retentionDays ?? usualDays) * dayMs)
    .execute()
  if (retentionDays === undefined) return { runs: 0, audit: 0 }
  const before = now() - retentionDays * dayMs
  // Attempts, issues and repairs go with their runs.
  const runs = await inBatches(() =>
    db
      .deleteFrom('runs')
      .where('seq', 'in', (runs) => runs.selectFrom('runs').select('seq').where('at', '<', before).orderBy('at').limit(batch))
      .executeTakeFirst(),
  )
  const audit = await inBatches(() =>
    db
      .deleteFrom('audit')
      .where('seq', 'in', (audit) => audit.selectFrom('audit').select('seq').where('at', '<', before).orderBy('at').limit(batch))
      .executeTakeFirst(),
  )
  await db
    .deleteFrom('spend')
    .where('day', '<', Math.floor(before / dayMs))
    .execute()
  return { runs, audit }
}

async function inBatches(remove: () => Promise<{ readonly numDeletedRows: bigint }>): Promise<number> {
  let removed = 0
  while (true) {
    const count = Number((await remove()).numDeletedRows)
    removed += count
    if (count === 0) return removed
    await nextTurn()
  }
}
