import type { Engine } from './engine/engine.ts'
import { getRun } from './queries/get-run.ts'
import { listAudit } from './queries/list-audit.ts'
import { listRuns } from './queries/list-runs.ts'
import { QueryError } from './queries/query-error.ts'
import { runsSince } from './queries/runs-since.ts'
import { getSession, listSessions, type StepTest, stepsOf } from './queries/sessions.ts'
import { stats } from './queries/stats.ts'
import { summary } from './queries/summary.ts'
import type { StoreQueries } from './store.ts'
import { databaseFailure } from './store-unavailable.ts'

/** All reads of one database. */
export function createQueries(engine: Engine, endsSession: StepTest): StoreQueries {
  return {
    listRuns: (filter) => safely(listRuns(engine, filter), engine),
    getRun: (id, owner) => safely(getRun(engine, id, owner), engine),
    listSessions: (filter) => safely(listSessions(engine, filter), engine),
    getSession: (session, owner) => safely(getSession(engine, endsSession, session, owner), engine),
    sessionSteps: (session, owner) => safely(stepsOf(engine, session, owner), engine),
    stats: (query) => safely(stats(engine, query), engine),
    summary: (query) => safely(summary(engine, query), engine),
    runsSince: (cursor, limit, owner) => safely(runsSince(engine, cursor, limit, owner), engine),
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
