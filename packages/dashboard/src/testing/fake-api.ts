import type { HttpError } from '@stickler/core/internal/apis'
import { dashboardRoutes } from '../../../gateway/src/admin/dashboard/dashboard-routes.ts'
import type { Exchange, Route } from '../../../gateway/src/front/exchange.ts'
import { sendJson, sendText } from '../../../gateway/src/front/replies/json-response.ts'
import { openSse, type SseWriter } from '../../../gateway/src/front/replies/sse-writer.ts'
import { startFront, type TestFront } from '../../../gateway/src/testing/http-front.ts'
import type { GatewayState, Me, RunRow } from '../api/types.ts'
import { fakeOverview } from './fake-overview.ts'
import { seedGateway, seedMe, seedNow } from './seed.ts'

/** What a fake API holds; a test may change it at any time. */
interface FakeData {
  /** Newest first. */
  runs: RunRow[]
  me: Me
  gateway: GatewayState
  /** Rows of a page of runs, whatever is asked for. */
  pageSize?: number | undefined
  /** Whether runs wait to be counted. */
  behind?: boolean
  /** Thrown by every request while it is set. */
  failure?: HttpError | undefined
}

/** A dashboard over data in memory. */
export interface FakeDashboard extends FakeData {
  readonly url: string
  /** Paths that were requested, with their parameters. */
  readonly asked: string[]
  /** How many listen to new runs. */
  readonly listening: () => number
  /** Adds a run and tells those who listen. */
  add(run: RunRow): void
  close(): Promise<void>
}

/** Starts the dashboard over data in memory; routes that a test adds come first. */
export async function startFakeDashboard(
  data: Partial<FakeData> = {},
  { routes = [], operatorKeys = '' }: { readonly routes?: readonly Route[]; readonly operatorKeys?: string } = {},
): Promise<FakeDashboard> {
  const asked: string[] = []
  const listeners = new Set<{ readonly writer: SseWriter; readonly query: URLSearchParams }>()
  const held: FakeData = { runs: [], me: seedMe(), gateway: seedGateway(), ...data }
  let last:
    | { readonly runs: readonly RunRow[]; readonly count: number; readonly filter: string; readonly found: readonly RunRow[] }
    | undefined
  const filtered = (query: URLSearchParams): readonly RunRow[] => {
    const filter = String(new URLSearchParams([...query].filter(([name]) => name !== 'cursor' && name !== 'limit')))
    const { runs } = held
    if (last?.runs !== runs || last.count !== runs.length || last.filter !== filter) {
      last = { runs, count: runs.length, filter, found: runs.filter((run) => matches(run, query)) }
    }
    return last.found
  }
  const get = (path: string, reply: (exchange: Exchange) => unknown): Route => ({
    method: 'GET',
    path: `/api/v1/${path}`,
    access: 'read',
    async handler(exchange) {
      asked.push(`${path}?${exchange.query}`)
      if (held.failure !== undefined) throw held.failure
      sendJson(exchange, 200, reply(exchange))
    },
  })
  const own: Route[] = [
    get('me', () => held.me),
    get('gateway', () => held.gateway),
    get('overview', ({ query }) => {
      const until = Number(query.get('until') ?? seedNow)
      const overview = fakeOverview(
        held.runs.filter((run) => matches(run, query)),
        Number(query.get('since') ?? until - 86_400_000),
        until,
        seedNow,
      )
      return held.behind ? { ...overview, behind: true } : overview
    }),
    get('runs', ({ query }) => {
      const found = filtered(query)
      const start = Number(query.get('cursor') ?? 0)
      const end = start + (held.pageSize ?? Number(query.get('limit') ?? 50))
      return { items: found.slice(start, end), ...(end < found.length ? { next: String(end) } : {}) }
    }),
    {
      ...{ method: 'GET', path: '/api/v1/runs.jsonl', access: 'read' },
      async handler(exchange) {
        asked.push(`runs.jsonl?${exchange.query}`)
        const lines = held.runs.filter((run) => matches(run, exchange.query)).map((run) => `${JSON.stringify(run)}\n`)
        sendText(exchange, 200, lines.join(''), 'application/x-ndjson')
      },
    },
    {
      ...{ method: 'GET', path: '/api/v1/live', access: 'read' },
      async handler(exchange) {
        asked.push(`live?${exchange.query}`)
        const writer = openSse(exchange, { heartbeatMs: 1000, heartbeat: () => ': \n\n', maxBufferedBytes: 1e7 })
        const listener = { writer, query: exchange.query }
        listeners.add(listener)
        void writer.write('id: c0\nevent: ready\ndata: {}\n\n')
        await new Promise<void>((resolve) => exchange.response.once('close', resolve))
        listeners.delete(listener)
      },
    },
  ]
  const replaced = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  const all = [...dashboardRoutes(), ...routes, ...own.filter(({ method, path }) => !replaced.has(`${method} ${path}`))]
  const front: TestFront = await startFront(all, { operatorKeys })
  return Object.assign(held, {
    url: `http://127.0.0.1:${front.port}`,
    asked,
    listening: () => listeners.size,
    add(run: RunRow) {
      held.runs.unshift(run)
      for (const { writer, query } of listeners) {
        if (matches(run, query)) void writer.write(`id: c1\nevent: runs\ndata: ${JSON.stringify({ items: [run] })}\n\n`)
      }
    },
    close: () => front.close(),
  })
}

const columns = ['status', 'contract', 'model', 'upstream', 'key', 'session', 'api', 'label'] as const

/** Whether a run has all that is asked for; a parameter that is repeated means any of its values. */
export function matches(run: RunRow, query: URLSearchParams): boolean {
  const has = (name: string, of: (value: string) => boolean) => query.getAll(name).length === 0 || query.getAll(name).some(of)
  const rules = (run.codes ?? []).map((code) => code.split('/'))
  return (
    run.at >= Number(query.get('since') ?? 0) &&
    run.at < Number(query.get('until') ?? Number.MAX_SAFE_INTEGER) &&
    columns.every((name) => has(name, (value) => run[name] === value)) &&
    has('validator', (value) => rules.some(([validator]) => validator === value)) &&
    has('code', (value) => rules.some(([, code]) => code === value)) &&
    has('class', (value) => run.classes?.includes(value) ?? false) &&
    has('q', (value) => `${run.question} ${run.answer}`.toLowerCase().includes(value.toLowerCase()))
  )
}
