import { type RawBuilder, sql } from 'kysely'
import { isInferred, stepIn } from '../../run/stored-names.ts'
import type { Engine } from '../engine/engine.ts'
import { readFacts } from '../rows/read-run.ts'
import { name } from '../rows/values.ts'
import { listRuns } from './list-runs.ts'
import type { RunPage } from './listed-run.ts'
import { type Place, pageSize, readCursor, writeCursor } from './page.ts'
import type { RunMatch } from './run-filter.ts'
import { ownedBy } from './run-filter.ts'

/** A summary of a session. */
export interface SessionSummary {
  readonly session: string
  /** When its first run began. */
  readonly firstAt: number
  /** When its last run began. */
  readonly lastAt: number
  readonly runs: number
  /** Number of runs by status. */
  readonly statuses: Readonly<Record<string, number>>
}

/** A step that a session reached. */
export interface SessionStep {
  readonly step: string
  /** When it was first named without another in between. */
  readonly at: number
  /** Set when no answer named it: repairs have inferred it. */
  readonly inferred?: true
}

/** A session with its newest runs. */
export interface SessionDetail extends SessionSummary {
  /** The last named step; absent without one. */
  readonly step?: string
  /** The changes of the step in order, at most the last 200. */
  readonly steps: readonly SessionStep[]
  /** Whether the session has ended. */
  readonly status: 'active' | 'done'
  /** The beginning of the first question, if texts are stored. */
  readonly firstRequest?: string
  readonly newest: RunPage
}

/** Some sessions, the last active first. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  /** The cursor of the next page; absent at the end. */
  readonly next?: string
}

/** The filters of a list of sessions: the time of their last run, and names that one of their runs has. */
export interface SessionFilter extends Pick<RunMatch, 'since' | 'until' | keyof typeof nameColumns> {
  readonly limit?: number
  /** `next` of the previous page. */
  readonly before?: string
  /** Only sessions of this key; of sessions with the same name, only its runs count. */
  readonly owner?: string
}

const mostSteps = 200
/** Runs that are read for one page of a filter. */
const mostRead = 20_000

const nameColumns = {
  status: 'status',
  contract: 'contract',
  model: 'model',
  upstream: 'upstream',
  api: 'api',
  key: 'key_name',
} as const satisfies Partial<Record<keyof RunMatch, string>>

/** The condition that a session has a run with all of the names. */
function hasRun(filter: SessionFilter): RawBuilder<unknown> | undefined {
  const wanted = Object.entries(nameColumns).flatMap(([member, column]) => {
    const values = filter[member as keyof typeof nameColumns]
    return values === undefined ? [] : [sql`${sql.ref(`one.${column}`)} in (${sql.join([values].flat().map(name))})`]
  })
  if (wanted.length === 0) return undefined
  return sql`and exists (select 1 from runs as one
    where one.session = last.session and ${ownedBy(filter.owner, 'one')} and ${sql.join(wanted, sql` and `)})`
}

/** Returns whether a step ends the sessions of a contract. */
export type StepTest = (contract: string, step: string) => boolean

/** Lists sessions, the last active first. */
export async function listSessions({ db }: Engine, filter: SessionFilter): Promise<SessionPage> {
  const { owner } = filter
  const limit = pageSize(filter.limit)
  const place = filter.before === undefined ? undefined : readCursor(filter.before)
  const before = place ? sql`and (last.at, last.id) < (${place.at}, ${place.id})` : sql``
  const since = filter.since === undefined ? sql`` : sql`and last.at >= ${filter.since}`
  const until = filter.until === undefined ? sql`` : sql`and last.at < ${filter.until}`
  const newest = sql`from runs as last where last.session is not null and ${ownedBy(owner, 'last')} ${before} ${since} ${until}`
  const wanted = hasRun(filter)
  // A page may have fewer sessions then: a filter may match none.
  const end =
    wanted &&
    (await sql<Place>`select last.at, last.id ${newest} order by last.at desc, last.id desc limit 1 offset ${mostRead - 1}`.execute(db))
      .rows[0]
  // A session is sorted by its last run: the newest runs are read until enough sessions are found. Each session is looked into once.
  const { rows } = await sql<{ session: string; at: number; id: string }>`
    select last.session, last.at, last.id ${newest} ${end ? sql`and (last.at, last.id) >= (${end.at}, ${end.id})` : sql``} and not exists (
      select 1 from runs as later where later.session = last.session and (later.at, later.id) > (last.at, last.id) and ${ownedBy(owner, 'later')})
      ${wanted ?? sql``}
    order by last.at desc, last.id desc limit ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit)
  const summaries = await summarize(
    { db },
    page.map(({ session }) => session),
    owner,
  )
  const last = rows.length > limit ? page.at(-1) : end
  return { sessions: page.flatMap(({ session }) => summaries.get(session) ?? []), ...(last && { next: writeCursor(last) }) }
}

/** Reads one session with its newest runs. */
export async function getSession(
  engine: Engine,
  endsSession: StepTest,
  session: string,
  owner?: string,
): Promise<SessionDetail | undefined> {
  const known = name(session)
  const summary = (await summarize(engine, [known], owner)).get(known)
  if (summary === undefined) return undefined
  const changes = await stepChanges(engine, known, owner)
  const first = await engine.db
    .selectFrom('runs')
    .select('request')
    .where('session', '=', known)
    .where(ownedBy(owner))
    .orderBy('at', 'asc')
    .orderBy('id', 'asc')
    .limit(1)
    .executeTakeFirst()
  const last = changes.at(-1)
  return {
    ...summary,
    ...(last === undefined ? {} : { step: last.step }),
    steps: changes.map(stepOnly),
    status: last !== undefined && last.inferred === undefined && endsSession(last.contract, last.step) ? 'done' : 'active',
    ...(first?.request ? { firstRequest: first.request } : {}),
    newest: await listRuns(engine, { session, limit: 100, ...(owner === undefined ? {} : { owner }) }),
  }
}

/** The changes of the step of a session in order, at most the last 200. */
export async function stepsOf(engine: Engine, session: string, owner: string | undefined): Promise<readonly SessionStep[]> {
  return (await stepChanges(engine, session, owner)).map(stepOnly)
}

/** A change of the step, with the contract of the last run that named it. */
interface StepChange extends SessionStep {
  readonly contract: string
}

function stepOnly({ contract: _contract, ...step }: StepChange): SessionStep {
  return step
}

async function stepChanges({ db }: Engine, session: string, owner: string | undefined): Promise<readonly StepChange[]> {
  const rows = await db
    .selectFrom('runs')
    .select(['facts', 'at', 'contract'])
    .where('session', '=', session)
    .where(ownedBy(owner))
    .where('facts', 'is not', null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostSteps)
    .execute()
  const changes: StepChange[] = []
  for (const { facts, at, contract } of rows.reverse()) {
    const known = readFacts(facts ?? '')
    const step = stepIn(known)
    if (step === undefined) continue
    const last = changes.at(-1)
    const goesOn = last?.step === step
    const inferred = isInferred(known) && (!goesOn || last.inferred === true)
    if (goesOn) changes.pop()
    changes.push({ step, at: goesOn ? last.at : at, contract, ...(inferred && { inferred }) })
  }
  return changes
}

async function summarize(
  { db }: Pick<Engine, 'db'>,
  sessions: readonly string[],
  owner: string | undefined,
): Promise<Map<string, SessionSummary>> {
  const summaries = new Map<string, SessionSummary>()
  if (sessions.length === 0) return summaries
  const rows = await db
    .selectFrom('runs')
    .select(({ fn }) => ['session', 'status', fn.min('at').as('first'), fn.max('at').as('last'), fn.countAll<number>().as('count')])
    .where('session', 'in', sessions)
    .where(ownedBy(owner))
    .groupBy(['session', 'status'])
    .execute()
  for (const { session, status, first, last, count } of rows) {
    if (session === null) continue
    const known = summaries.get(session)
    summaries.set(session, {
      session,
      firstAt: Math.min(known?.firstAt ?? first, first),
      lastAt: Math.max(known?.lastAt ?? last, last),
      runs: (known?.runs ?? 0) + count,
      statuses: { ...known?.statuses, [status]: count },
    })
  }
  return summaries
}
