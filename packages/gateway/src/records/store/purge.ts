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

/** How long what is kept is kept: in days, or for ever. */
export interface Retention {
  readonly retentionDays: number | undefined
  readonly auditRetentionDays: number | undefined
  readonly now: () => number
}

/** Deletes what is older than the retention, in small batches with time for others between them. */
export async function purge({ db }: Engine, { retentionDays, auditRetentionDays, now }: Retention): Promise<Purged> {
  await db.deleteFrom('answer_cache').where('expires_at', '<=', now()).execute()
  // Also where runs are kept for ever; a day that is over is only of use to requests that began on it, and to a clock that jumps back.
  const over = Math.floor(now() / dayMs) - Math.max(2, Math.ceil(retentionDays ?? usualDays))
  await db.deleteFrom('key_budgets').where('day', '<', over).execute()
  await db.deleteFrom('reservations').where('day', '<', over).execute()
  await db
    .deleteFrom('runner_sessions')
    .where('at', '<', now() - (retentionDays ?? usualDays) * dayMs)
    .execute()
  // Attempts, issues and repairs go with their runs.
  const runs = await inBatches(retentionDays, now, (before) =>
    db
      .deleteFrom('runs')
      .where('seq', 'in', (runs) => runs.selectFrom('runs').select('seq').where('at', '<', before).orderBy('at').limit(batch))
      .executeTakeFirst(),
  )
  const audit = await inBatches(auditRetentionDays, now, (before) =>
    db
      .deleteFrom('audit')
      .where('seq', 'in', (audit) => audit.selectFrom('audit').select('seq').where('at', '<', before).orderBy('at').limit(batch))
      .executeTakeFirst(),
  )
  if (retentionDays !== undefined) {
    const day = Math.floor((now() - retentionDays * dayMs) / dayMs)
    await db.deleteFrom('spend').where('day', '<', day).execute()
  }
  return { runs, audit }
}

async function inBatches(
  days: number | undefined,
  now: () => number,
  remove: (before: number) => Promise<{ readonly numDeletedRows: bigint }>,
): Promise<number> {
  if (days === undefined) return 0
  const before = now() - days * dayMs
  let removed = 0
  while (true) {
    const count = Number((await remove(before)).numDeletedRows)
    removed += count
    if (count === 0) return removed
    await nextTurn()
  }
}
