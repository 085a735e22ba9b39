import { type RawBuilder, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { type ListedRow, type ListedRun, listedColumns, listedRuns, type RunPage } from './listed-run.ts'
import { type Place, pageSize, readCursor, readSequence, writeCursor } from './page.ts'
import { allOf, type Branch, branchesOf, conditionsOf, type RunFilter, type RunMatch, timeConditions } from './run-filter.ts'
import { searchRuns } from './search-runs.ts'

/** Lists runs, newest first. */
export async function listRuns(engine: Engine, filter: RunFilter): Promise<RunPage> {
  if (filter.q !== undefined) return searchRuns(engine, { ...filter, q: filter.q })
  const limit = pageSize(filter.limit)
  const rows = await readRows(engine, filter, limit + 1)
  const runs = await listedRuns(engine, rows.slice(0, limit))
  const last = runs.at(-1)
  return { runs, ...(rows.length > limit && last ? { next: writeCursor(last) } : {}) }
}

async function readRows({ db }: Engine, filter: RunFilter, limit: number): Promise<readonly ListedRow[]> {
  const branches = branchesOf(filter)
  const [only] = branches
  if (only === undefined) return []
  const place = filter.before === undefined ? undefined : readCursor(filter.before)
  if (branches.length === 1 && only.keys === undefined)
    return (await sql<ListedRow>`select ${listedColumns} ${pageOf(only, filter, place, limit)}`.execute(db)).rows
  const pages = branches.map((branch) => {
    const keys = branch.keys ?? sql`runs.at, runs.id`
    return sql`select at, id from (select ${keys} ${pageOf(branch, filter, place, limit)}) as page`
  })
  // Each branch has an index that sorts; a run that several find counts once.
  const keys = sql`select at, id from (${sql.join(pages, sql` union `)}) as pages order by at desc, id desc limit ${sql.lit(limit)}`
  const { rows } = await sql<ListedRow>`select ${listedColumns} from (${keys}) as keys
    join runs on runs.id = keys.id order by keys.at desc, keys.id desc`.execute(db)
  return rows
}

function pageOf({ from, at, id, conditions }: Branch, filter: RunFilter, place: Place | undefined, limit: number): RawBuilder<unknown> {
  const after = place ? [sql<boolean>`(${sql.ref(at)}, ${sql.ref(id)}) < (${place.at}, ${place.id})`] : []
  return sql`from ${from} where ${allOf([...conditions, ...timeConditions(filter, at), ...after])}
    order by ${sql.ref(at)} desc, ${sql.ref(id)} desc limit ${sql.lit(limit)}`
}

/** New runs since a cursor, in the order of their arrival. */
export interface RunFeed {
  readonly runs: readonly ListedRun[]
  /** The cursor for the next call. */
  readonly cursor: string
}

/**
 * Returns the runs after a cursor; without a cursor it starts after the newest.
 *
 * No run is missed or repeated: gateways write one at a time, under a lock, so a run never becomes visible after one with a larger number.
 */
export async function runsSince(engine: Engine, cursor?: string, limit?: number, match: RunMatch = {}): Promise<RunFeed> {
  const { db } = engine
  const newest = (await db.selectFrom('runs').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst())?.seq ?? 0
  if (cursor === undefined) return { runs: [], cursor: String(newest) }
  const since = readSequence(cursor)
  const size = pageSize(limit)
  const conditions = [...conditionsOf(match), ...timeConditions(match, 'runs.at')]
  const { rows } = await sql<ListedRow>`select ${listedColumns} from runs where seq > ${since} and seq <= ${newest} and ${allOf(conditions)}
    order by seq limit ${sql.lit(size)}`.execute(db)
  // After the last page there is nothing up to the newest that matches.
  const next = rows.length < size ? Math.max(since, newest) : (rows.at(-1)?.seq ?? since)
  return { runs: await listedRuns(engine, rows), cursor: String(next) }
}
