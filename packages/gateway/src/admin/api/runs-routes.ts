import { HttpError } from '@stickler/core/internal/apis'
import { ownerOf } from '../../front/access/roles.ts'
import type { Access, Exchange, Identity, Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import { ownWays, type RunRecord } from '../../records/run/run-record.ts'
import type { KeptRun } from '../../records/run/stored-record.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { RunFilter } from '../../records/store/queries/list-runs.ts'
import type { StatsQuery } from '../../records/store/queries/stats.ts'
import type { SummaryQuery } from '../../records/store/queries/summary.ts'
import type { StoreQueries } from '../../records/store/store.ts'
import { badParameter, pageParameters, present, QueryReader } from './query-reader.ts'
import { runDescriptions } from './run-descriptions.ts'

const statuses = ['valid', 'repaired', 'unresolved', 'unchecked', 'failed', 'unenforced'] as const satisfies readonly RunRecord['status'][]
const names = ['contract', 'model', 'session', 'code', 'key'] as const

const standardPage = 50
const largestPage = 200
const dayMs = 86_400_000
const longestId = 256

/** A filter for the API of a run. */
export interface NamedApi {
  readonly name: string
}

/** What the routes for runs need. */
interface RunsRoutesParts {
  readonly queries: Omit<StoreQueries, 'runsSince'>
  readonly apis: readonly NamedApi[]
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Makes the read-only routes for runs, sessions, statistics and the audit. */
export function runsRoutes({ queries, apis, now }: RunsRoutesParts): readonly Route[] {
  const readPage = (query: URLSearchParams) => new QueryReader(query, pageParameters).page(standardPage, largestPage)
  return [
    get('/api/v1/runs', async ({ query, identity }) => {
      const { runs, next } = await queries.listRuns({ ...readRunFilter(query, apis, standardPage, largestPage), ...owned(identity) })
      return list(runs, next)
    }),
    get('/api/v1/runs/:id', async (exchange) => {
      const run = await found('run', exchange, (id) => queries.getRun(id, ownerOf(exchange.identity)))
      return exchange.identity.role === 'client' ? withoutStderr(run) : run
    }),
    get('/api/v1/sessions', async ({ query, identity }) => {
      const { sessions, next } = await queries.listSessions({ ...readPage(query), ...owned(identity) })
      return list(sessions, next)
    }),
    get('/api/v1/sessions/:id', async (exchange) => {
      const { newest, ...session } = await found('session', exchange, (id) => queries.getSession(id, ownerOf(exchange.identity)))
      return { ...session, newest: list(newest.runs, newest.next) }
    }),
    get('/api/v1/stats', async ({ query, identity }) => queries.stats({ ...readStatsQuery(query, now()), ...owned(identity) })),
    get('/api/v1/summary', async ({ query, identity }) => queries.summary({ ...readSummaryQuery(query, now()), ...owned(identity) })),
    get(
      '/api/v1/audit',
      async ({ query }) => {
        const { audit, next } = await queries.listAudit(readPage(query))
        return list(audit, next)
      },
      'operate',
    ),
  ]
}

/** A command's error stream is for operators: it may name folders and settings of the machine. */
function withoutStderr(run: KeptRun): KeptRun {
  return { ...run, attempts: run.attempts.map(({ stderr: _stderr, ...attempt }) => attempt) }
}

/** The part of a filter that limits clients to their own runs. */
export function owned(identity: Identity): { readonly owner?: string } {
  return present({ owner: ownerOf(identity) })
}

/** Reads which runs are wanted. */
export function readRunFilter(
  query: URLSearchParams,
  apis: readonly NamedApi[],
  standard: number,
  most: number,
): RunFilter & { readonly limit: number } {
  const reader = new QueryReader(query, [...pageParameters, 'since', 'until', 'status', 'api', ...names])
  const times = { since: reader.time('since'), until: reader.time('until') }
  if (times.since !== undefined && times.until !== undefined) checkOrder(times.since, times.until)
  const words = { status: reader.oneOf('status', statuses), api: reader.oneOf('api', [...ownWays, ...apis.map(({ name }) => name)]) }
  const texts = Object.fromEntries(names.map((name) => [name, reader.text(name)]))
  return present({ ...reader.page(standard, most), ...times, ...words, ...texts })
}

/** The last day by default. */
function readTimes(reader: QueryReader, now: number): { readonly since: number; readonly until: number } {
  const until = reader.time('until') ?? now
  const since = reader.time('since') ?? Math.max(0, until - dayMs)
  checkOrder(since, until)
  return { since, until }
}

function readSummaryQuery(query: URLSearchParams, now: number): SummaryQuery {
  const reader = new QueryReader(query, ['since', 'until', 'contract', 'model', 'key'])
  const texts = { contract: reader.text('contract'), model: reader.text('model'), key: reader.text('key') }
  return present({ ...readTimes(reader, now), ...texts })
}

/** In buckets of a quarter of an hour by default. */
function readStatsQuery(query: URLSearchParams, now: number): StatsQuery {
  const reader = new QueryReader(query, ['since', 'until', 'bucketMs'])
  const { since, until } = readTimes(reader, now)
  // The store makes buckets larger when there would be too many.
  return { since, until, bucketMs: reader.whole('bucketMs', 1000, 366 * dayMs) ?? Math.max(1000, Math.ceil((until - since) / 96)) }
}

function checkOrder(since: number, until: number): void {
  if (since >= until) throw badParameter('until', 'until must be later than since.')
}

/** One shape for all lists. */
function list<Item>(items: readonly Item[], next: string | undefined): { readonly items: readonly Item[]; readonly next?: string } {
  return present({ items, next })
}

function get(path: string, answer: (exchange: Exchange) => Promise<unknown>, access: Access = 'read'): Route {
  const handler: Route['handler'] = async (exchange) => sendJson(exchange, 200, await askStore(answer(exchange)))
  return { method: 'GET', path, access, handler, description: runDescriptions[path] as NonNullable<Route['description']> }
}

async function found<Item>(
  kind: string,
  { params: { id = '' } }: Exchange,
  find: (id: string) => Promise<Item | undefined>,
): Promise<Item> {
  const item = id.length > longestId ? undefined : await find(id)
  if (item !== undefined) return item
  throw new HttpError(404, `There is no ${kind} with this id.`, { param: 'id', code: 'not_found' })
}
