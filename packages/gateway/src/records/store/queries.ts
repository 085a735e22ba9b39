import type { Engine } from './engine/engine.ts'
import { labelOf } from './labels.ts'
import { listAudit } from './queries/list-audit.ts'
import { listRuns } from './queries/list-runs.ts'
import { QueryError } from './queries/page.ts'
import type { RunFilter } from './queries/run-filter.ts'
import { ownedBy } from './queries/run-filter.ts'
import { runTexts } from './queries/run-texts.ts'
import { runsSince } from './queries/runs-since.ts'
import { getSession, listSessions, type StepTest, stepsOf } from './queries/session-queries.ts'
import { stats } from './queries/stats.ts'
import { summary } from './queries/summary.ts'
import { contractStats, overview } from './rollups/overview.ts'
import type { Rollups } from './rollups/rollups.ts'
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
  return {
    overview: (query) =>
      safely(
        summed(() => overview(engine, query, now())),
        engine,
      ),
    contractStats: (query) =>
      safely(
        summed(() => contractStats(engine, query, now())),
        engine,
      ),
    listRuns: (filter) => safely(listed(filter), engine),
    getRun: (id, owner) => safely(getRun(engine, id, owner), engine),
    listSessions: (filter) => safely(listSessions(engine, filter), engine),
    getSession: (session, owner) => safely(getSession(engine, endsSession, session, owner), engine),
    sessionSteps: (session, owner) => safely(stepsOf(engine, session, owner), engine),
    stats: (query) => safely(stats(engine, query), engine),
    summary: (query) => safely(summary(engine, query), engine),
    runsSince: (cursor, limit, match) => safely(runsSince(engine, cursor, limit, match), engine),
    runTexts: (runs) => safely(runTexts(engine, runs), engine),
    listAudit: (filter) => safely(listAudit(engine, filter), engine),
  }
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

/** Reads one run with all stored details. */
async function getRun(engine: Engine, id: string, owner?: string): Promise<FoundRun | undefined> {
  const { db } = engine
  const row = await db.selectFrom('runs').selectAll().where('id', '=', id).where(ownedBy(owner)).executeTakeFirst()
  if (!row) return undefined
  const found = await db.selectFrom('issues').selectAll().where('run_id', '=', id).orderBy('position').execute()
  const repairs = await db.selectFrom('repairs').select('detail').where('run_id', '=', id).orderBy('position').execute()
  const label = await labelOf(engine, id)
  return { ...readRun(row, found, repairs), ...(label && { label }) }
}
