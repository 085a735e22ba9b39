import { sql } from 'kysely'
import type { RunRecord, RunSummary } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import { name } from '../rows/values.ts'
import { ownedBy } from './owner-condition.ts'
import { pageSize, readCursor, writeCursor } from './page.ts'
import { runSummary, summaryColumns } from './run-summary.ts'

/** The filters of a list of runs; an absent filter matches all. */
export interface RunFilter {
  /** Only runs of this key. */
  readonly owner?: string
  readonly limit?: number
  /** `next` of the previous page. */
  readonly before?: string
  readonly status?: RunRecord['status']
  readonly contract?: string
  readonly model?: string
  readonly session?: string
  /** Name of a key. */
  readonly key?: string
  /** Runs with an issue of this code, in any attempt. */
  readonly code?: string
  readonly api?: RunRecord['api']
  /** From this time on, in milliseconds since 1970. */
  readonly since?: number
  /** Before this time. */
  readonly until?: number
}

/** Some runs, newest first. */
export interface RunPage {
  readonly runs: readonly RunSummary[]
  /** The cursor of the next page; absent at the end. */
  readonly next?: string
}

/** Lists runs, newest first. */
export async function listRuns({ db }: Engine, filter: RunFilter): Promise<RunPage> {
  const limit = pageSize(filter.limit)
  const { before, since, until, code, owner, key } = filter
  // Issues repeat the time and id of their run, so that one index filters by code and sorts.
  const [at, id] = code === undefined ? (['runs.at', 'runs.id'] as const) : (['found.at', 'found.run_id'] as const)
  const place = before === undefined ? undefined : readCursor(before)
  const equal = (['status', 'contract', 'model', 'session', 'api'] as const).flatMap((column) => {
    const value = filter[column]
    return value === undefined ? [] : [sql<boolean>`${sql.ref(`runs.${column}`)} = ${name(value)}`]
  })
  const conditions = [
    ...equal,
    ownedBy(owner),
    ...(key === undefined ? [] : [ownedBy(key)]),
    ...(since === undefined ? [] : [sql<boolean>`${sql.ref(at)} >= ${since}`]),
    ...(until === undefined ? [] : [sql<boolean>`${sql.ref(at)} < ${until}`]),
    ...(place ? [sql<boolean>`(${sql.ref(at)}, ${sql.ref(id)}) < (${place.at}, ${place.id})`] : []),
    ...(code === undefined ? [] : [firstWithCode(name(code))]),
  ]
  const rows = await db
    .selectFrom('runs')
    .$if(
      code !== undefined,
      (query) =>
        query.innerJoin('issues as found', (join) =>
          join.onRef('found.run_id', '=', 'runs.id').onRef('found.at', '=', 'runs.at'),
        ) as unknown as typeof query,
    )
    .select(summaryColumns)
    .where((where) => where.and(conditions))
    .orderBy(sql.ref(at), 'desc')
    .orderBy(sql.ref(id), 'desc')
    .limit(limit + 1)
    .execute()
  const runs = rows.slice(0, limit).map(runSummary)
  const last = runs.at(-1)
  return { runs, ...(rows.length > limit && last ? { next: writeCursor(last) } : {}) }
}

/** Two validators may share a code; the run is still listed once. */
function firstWithCode(code: string) {
  return sql<boolean>`found.code = ${code} and found.leads = 1 and not exists (
    select 1 from issues as other
    where other.run_id = found.run_id and other.at = found.at and other.position < found.position and other.code = found.code and other.leads = 1)`
}
