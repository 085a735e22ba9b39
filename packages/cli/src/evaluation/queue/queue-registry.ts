import type { QueueDatabase } from './queue-database.ts'
import { contractOf, queueOf } from './queue-jobs.ts'
import { removeRows } from './queue-results.ts'
import { schema } from './queue-tables.ts'

/** How often commands say that they are alive, in milliseconds. */
export const beatMs = 2000
/** A worker that has been silent for longer does not count. */
const silence = "interval '15 seconds'"
/** What is left of an evaluation that does not continue is removed after this time. */
const keptFor = "interval '7 days'"

/** A contract as evaluations and workers name it. */
export interface NamedContract {
  readonly name: string
  /** Its identity. */
  readonly hash: string
}

/** An evaluation that has not ended; after a kill, the same command continues it under the same id. */
interface RegisteredEvaluation {
  readonly id: string
  readonly contracts: readonly NamedContract[]
}

/** Says that an evaluation is under way. */
export async function registerEvaluation({ query }: QueueDatabase, { id, contracts }: RegisteredEvaluation): Promise<void> {
  await query(
    `insert into ${schema}.evaluations (id, contracts, names) values ($1, $2, $3)
     on conflict (id) do update set seen_at = now(), contracts = excluded.contracts, names = excluded.names`,
    [id, contracts.map(({ hash }) => hash), contracts.map(({ name }) => name.replaceAll('\0', ''))],
  )
}

/** How many workers there are: for the contract that has the fewest, and in all. */
export async function countWorkers(
  { query }: QueueDatabase,
  contracts: readonly NamedContract[],
): Promise<{ readonly able: number; readonly all: number }> {
  const [found] = await query<{ readonly able: number; readonly all: number }>(
    `with live as (select contracts from ${schema}.workers where seen_at > now() - ${silence})
     select (select count(*) from live) as all,
            (select min((select count(*) from live where hash = any(contracts))) from unnest($1::text[]) as hash) as able`,
    [contracts.map(({ hash }) => hash)],
  )
  return found ?? { able: 0, all: 0 }
}

/** Says that a worker is there, and finds the contracts of the evaluations under way. */
export async function registerWorker({ query }: QueueDatabase, id: string, hashes: readonly string[]): Promise<readonly NamedContract[]> {
  await query(`insert into ${schema}.workers (id, contracts) values ($1, $2) on conflict (id) do update set seen_at = now()`, [id, hashes])
  return query<NamedContract>(
    `select distinct name, hash from ${schema}.evaluations, unnest(names, contracts) as t (name, hash) where seen_at > now() - ${keptFor}`,
  )
}

/** Removes a worker that has ended. */
export async function removeWorker({ query }: QueueDatabase, id: string): Promise<void> {
  await query(`delete from ${schema}.workers where id = $1 or seen_at < now() - interval '1 day'`, [id])
}

/** Removes what an evaluation has left: its own results, and those of contracts that no other one uses, with their queues. */
export async function removeEvaluation(database: QueueDatabase, { id, contracts }: RegisteredEvaluation, run: string): Promise<void> {
  const { query } = database
  await query(`delete from ${schema}.evaluations where id = $1`, [id])
  for (const { hash } of contracts) {
    await removeRows(database, 'verdicts', 'contract = $1 and run = $2', [hash, run])
    const others = await query(`select 1 from ${schema}.evaluations where $1 = any(contracts) and seen_at > now() - ${keptFor}`, [hash])
    if (others.length > 0) continue
    await removeRows(database, 'verdicts', "contract = $1 and run = ''", [hash])
    await removeQueue(database, queueOf(hash))
  }
}

/** Removes what evaluations that were never continued have left. */
export async function removeExpired(database: QueueDatabase): Promise<void> {
  await removeRows(database, 'evaluations', `seen_at < now() - ${keptFor}`, [])
  await removeRows(database, 'verdicts', `at < now() - ${keptFor}`, [])
  const used = new Set(
    (await database.query<{ readonly hash: string }>(`select unnest(contracts) as hash from ${schema}.evaluations`)).map(
      ({ hash }) => hash,
    ),
  )
  const [expired] = await database.query<{ readonly at: Date }>(`select now() - ${keptFor} as at`)
  if (expired === undefined) return
  for (const { name, createdOn } of await database.jobs((boss) => boss.getQueues())) {
    const contract = contractOf(name)
    if (contract !== undefined && !used.has(contract) && createdOn < expired.at) await removeQueue(database, name)
  }
}

/** Removes a queue with its waiting jobs; one with jobs under way stays until the next time. */
async function removeQueue(database: QueueDatabase, queue: string): Promise<void> {
  await database.jobs((boss) => boss.purgeQueue(queue))
  if ((await database.jobs((boss) => boss.getQueueSize(queue, { before: 'completed' }))) > 0) return
  // A job may have been sent in this moment; then it stays too.
  await database.jobs((boss) => boss.deleteQueue(queue)).catch(() => {})
}
