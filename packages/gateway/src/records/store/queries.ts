import type { Engine } from './engine/engine.ts'
import { labelIn } from './labels.ts'
import { listAudit } from './queries/list-audit.ts'
import { listRuns, runsSince } from './queries/list-runs.ts'
import { QueryError } from './queries/page.ts'
import type { RunFilter } from './queries/run-filter.ts'
import { ownedBy } from './queries/run-filter.ts'
import { runTexts } from './queries/run-texts.ts'
import { getSession, listSessions, type StepTest, stepsOf } from './queries/session-queries.ts'
import { contractStats, overview } from './rollups/overview.ts'
import type { Rollups } from './rollups/rollups.ts'
import { stats } from './rollups/stats.ts'
import { summary } from './rollups/summary.ts'
import { readRun } from './rows/read-run.ts'
import type { FoundRun, StoreQueries } from './store.ts'
import { databaseFailure } from './store-unavailable.ts'

/** What reads need besides the database. */
interface QueryPorts {
  readonly endsSession: StepTest
  /** Adds new runs to sums before they are read; without it, the sums are those that others made. */
  readonly rollups?: Rollups
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** How long sums wait for runs that have not been added yet. */
const patienceMs = 1000

/** All reads of one database. */
export function createQueries(engine: Engine, { endsSession, rollups, now }: QueryPorts): StoreQueries {
  const summed = async <Sums extends object>(read: () => Promise<Sums>): Promise<Sums & { readonly behind?: true }> => {
    const isComplete = await rollups?.catchUp(patienceMs)
    const sums = await read()
    return isComplete === false ? { ...sums, behind: true } : sums
  }
  /** The words of a run are found once it is added to the sums. */
  const listed = async (filter: RunFilter) => {
    if (filter.q !== undefined && filter.before === undefined) await rollups?.catchUp(patienceMs)
    return listRuns(engine, filter)
  }
  return guarded(
    {
      overview: (query) => summed(() => overview(engine, query, now())),
      contractStats: (query) => summed(() => contractStats(engine, query, now())),
      listRuns: listed,
      getRun: (id, owner) => getRun(engine, id, owner),
      listSessions: (filter) => listSessions(engine, filter),
      getSession: (session, owner) => getSession(engine, endsSession, session, owner),
      sessionSteps: (session, owner) => stepsOf(engine, session, owner),
      stats: (query) => stats(engine, query, now()),
      summary: (query) => summary(engine, query, now()),
      runsSince: (cursor, limit, match) => runsSince(engine, cursor, limit, match),
      runTexts: (runs) => runTexts(engine, runs),
      listAudit: (filter) => listAudit(engine, filter),
    } satisfies StoreQueries,
    engine,
  )
}

const names = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** Errors of a database may reveal internals: only the database is named. */
export async function safely<Result>(work: Promise<Result>, { name }: Pick<Engine, 'name'>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw error instanceof QueryError ? error : databaseFailure(error, names[name])
  }
}

type Method = (...values: never[]) => Promise<unknown>

/** The same methods, whose errors name only the database. */
export function guarded<Methods extends object>(methods: Methods, engine: Pick<Engine, 'name'>): Methods {
  const all = Object.entries(methods as Readonly<Record<string, Method>>)
  return Object.fromEntries(all.map(([name, method]) => [name, (...values: never[]) => safely(method(...values), engine)])) as Methods
}

/** Reads one run with all stored details. */
async function getRun(engine: Engine, id: string, owner?: string): Promise<FoundRun | undefined> {
  const { db } = engine
  const row = await db.selectFrom('runs').selectAll().where('id', '=', id).where(ownedBy(owner)).executeTakeFirst()
  if (!row) return undefined
  const found = await db.selectFrom('issues').selectAll().where('run_id', '=', id).orderBy('position').execute()
  const repairs = await db.selectFrom('repairs').select('detail').where('run_id', '=', id).orderBy('position').execute()
  const label = labelIn(row)
  return { ...readRun(row, found, repairs), ...(label && { label }) }
}
