import { HttpError } from '@stickler/core/internal/apis'
import { ownerOf } from '../../front/access/roles.ts'
import type { Access, Exchange, Route } from '../../front/exchange.ts'
import { sendJson } from '../../front/replies/json-response.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { StatsQuery } from '../../records/store/rollups/stats.ts'
import type { SummaryQuery } from '../../records/store/rollups/summary.ts'
import type { FoundRun, StoreQueries } from '../../records/store/store.ts'
import { pageParameters, present, QueryReader } from './query-reader.ts'
import { checkOrder, type FilterSettings, owned, readRunFilter, readSessionFilter, readSumsFilter } from './read-filter.ts'
import { runDescriptions } from './run-descriptions.ts'

const standardPage = 50
const largestPage = 200
const dayMs = 86_400_000
const longestId = 256

/** What the routes for runs need. */
interface RunsRoutesParts extends FilterSettings {
  readonly queries: Omit<StoreQueries, 'runsSince'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Makes the read-only routes for runs, sessions, statistics and the audit. */
export function runsRoutes({ queries, now, ...settings }: RunsRoutesParts): readonly Route[] {
  const readPage = (query: URLSearchParams) => new QueryReader(query, pageParameters).page(standardPage, largestPage)
  return [
    get('/api/v1/runs', async ({ query, identity }) => {
      const { runs, next } = await queries.listRuns({ ...readRunFilter(query, settings, standardPage, largestPage), ...owned(identity) })
      return list(runs, next)
    }),
    get('/api/v1/runs/:id', async (exchange) => {
      const run = await found('run', exchange, (id) => queries.getRun(id, ownerOf(exchange.identity)))
      return exchange.identity.role === 'client' ? forClients(run) : run
    }),
    get('/api/v1/sessions', async ({ query, identity }) => {
      const { sessions, next } = await queries.listSessions({
        ...readSessionFilter(query, settings, standardPage, largestPage),
        ...owned(identity),
      })
      return list(sessions, next)
    }),
    get('/api/v1/sessions/:id', async (exchange) => {
      const { newest, ...session } = await found('session', exchange, async (id) => {
        const name = nameIn(id)
        return name === undefined ? undefined : queries.getSession(name, ownerOf(exchange.identity))
      })
      return { ...session, newest: list(newest.runs, newest.next) }
    }),
    get('/api/v1/overview', async ({ query, identity }) => {
      const { since, until, ...match } = readSumsFilter(query, settings)
      return queries.overview({ ...match, ...period(since, until, now()), ...owned(identity) })
    }),
    get('/api/v1/stats', async ({ query, identity }) => queries.stats({ ...readStatsQuery(query, now()), ...owned(identity) })),
    get('/api/v1/summary', async ({ query, identity }) => queries.summary({ ...readSummaryQuery(query, now()), ...owned(identity) })),
    get(
      '/api/v1/contracts/stats',
      async ({ query }) => queries.contractStats(readTimes(new QueryReader(query, ['since', 'until']), now())),
      'operate',
    ),
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

/** For operators only: a command's error stream, which may name folders and settings of the machine, and what they note about a run. */
function forClients({ label, ...run }: FoundRun): object {
  const attempts = run.attempts.map(({ stderr: _stderr, ...attempt }) => attempt)
  return { ...run, attempts, ...(label && { label: { label: label.label, at: label.at } }) }
}

/** The last day by default. */
function period(since: number | undefined, until: number | undefined, now: number): { readonly since: number; readonly until: number } {
  const end = until ?? Math.max(now, (since ?? 0) + 1)
  const start = since ?? Math.max(0, end - dayMs)
  checkOrder(start, end)
  return { since: start, until: end }
}

function readTimes(reader: QueryReader, now: number): { readonly since: number; readonly until: number } {
  return period(reader.time('since'), reader.time('until'), now)
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

/** The name of a session in a path; one that could be read as a path is encoded twice, after a tilde. */
function nameIn(id: string): string | undefined {
  if (!id.startsWith('~')) return id
  try {
    return decodeURIComponent(id.slice(1))
  } catch {
    return undefined
  }
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
