import { Answer, contract as buildContract, settle } from '@stickler/core'
import { settledData } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { stepMarker } from '@stickler/presets/helix'
import type { Exchange, Route } from '../../../gateway/src/front/exchange.ts'
import { sendJson, sendNothing } from '../../../gateway/src/front/replies/json-response.ts'
import type { Contract, ContractStats } from '../api/contract-types.ts'
import type { Evaluation, RunningEvaluation } from '../api/evaluation-types.ts'
import type { Run, RunLabel } from '../api/run-types.ts'
import type { SessionDetail } from '../api/session-types.ts'
import { seedContractStats, seedContracts, seedEvaluation, seedRunning, seedSessions } from './seed-pages.ts'

/** What the pages of single things show; a test may change it at any time. */
interface PageData {
  run(id: string): Run | undefined
  contracts: readonly Contract[]
  stats: readonly ContractStats[]
  sessions: readonly SessionDetail[]
  evaluations: readonly Evaluation[]
  running: readonly RunningEvaluation[]
}

/** The data of most tests. */
export function seedPages(more: Partial<PageData>): PageData {
  const seeded = {
    ...{ contracts: seedContracts(), stats: seedContractStats(), sessions: seedSessions() },
    ...{ evaluations: [seedEvaluation()], running: seedRunning() },
  }
  return { run: () => undefined, ...seeded, ...more }
}

/** The routes of these pages over data in memory; labels are kept. */
export function pageRoutes(data: PageData): { readonly routes: readonly Route[]; readonly labels: Map<string, RunLabel> } {
  const labels = new Map<string, RunLabel>()
  const route = (method: Route['method'], path: string, reply: (exchange: Exchange) => unknown): Route => ({
    method,
    path: `/api/v1/${path}`,
    access: 'read',
    async handler(exchange) {
      const body = await reply(exchange)
      if (body === nothing) sendNothing(exchange)
      else if (body === undefined) throw new HttpError(404, 'There is nothing with this name.', { code: 'not_found' })
      else sendJson(exchange, 200, body)
    },
  })
  const routes = [
    route('GET', 'runs/:id', ({ params: { id = '' } }) => {
      const run = data.run(id)
      const label = labels.get(id)
      return run && { ...run, ...(label === undefined ? {} : { label }) }
    }),
    route('PUT', 'runs/:id/label', async (exchange) => {
      const { label, note } = (await exchange.json()) as unknown as RunLabel
      if (note?.includes('reject')) throw new HttpError(400, 'note must be shorter.', { param: 'note' })
      labels.set(exchange.params.id ?? '', { label, by: 'ops', ...(note === undefined ? {} : { note }) })
      return nothing
    }),
    route('DELETE', 'runs/:id/label', ({ params: { id = '' } }) => {
      labels.delete(id)
      return nothing
    }),
    route('GET', 'contracts', () => ({ items: data.contracts })),
    route('GET', 'contracts/stats', () => ({ since: 0, until: 0, items: data.stats })),
    route('POST', 'try', async (exchange) => tried((await exchange.json()) as unknown as Tried)),
    route('GET', 'sessions', () => ({ items: data.sessions })),
    route('GET', 'sessions/:id', ({ params: { id } }) => data.sessions.find(({ session }) => session === id)),
    route('GET', 'evaluations', () => ({ items: data.evaluations, running: data.running })),
    route('GET', 'evaluations/:id', ({ params }) => data.evaluations.find(({ id }) => id === params.id)),
  ]
  return { routes, labels }
}

const nothing = Symbol('no body')

interface Tried {
  readonly yaml?: string
  readonly text: string
}

/** As the gateway: the words that YAML limits answers to are the only rule that this reads. */
async function tried({ yaml = '', text }: Tried): Promise<object> {
  const bad = yaml.split('\n').findIndex((line) => line.includes('unknown_rule'))
  if (bad >= 0) return { contractErrors: [{ line: bad + 1, column: 5, message: 'unknown check "unknown_rule"; did you mean "no_rule"?' }] }
  const limit = Number(/limit: (\d+)/.exec(yaml)?.[1] ?? 1000)
  const rules = buildContract({ checks: [{ max_words: { limit } }, 'links', stepMarker({})], allow: ['lossless', 'lossy'] })
  const answer = new Answer(text)
  return { report: settledData(await settle(rules, answer), answer) }
}
