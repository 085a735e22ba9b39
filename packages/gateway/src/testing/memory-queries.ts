import type { RunRecord } from '../records/run/run-record.ts'
import { countsOf, type KeptRun } from '../records/run/stored-record.ts'
import { writtenAnswer } from '../records/run/written-answer.ts'
import type { RunFeed } from '../records/store/queries/list-runs.ts'
import type { ListedRun, RunPage } from '../records/store/queries/listed-run.ts'
import { QueryError } from '../records/store/queries/page.ts'
import type { RunFilter } from '../records/store/queries/run-filter.ts'
import type { RunTexts } from '../records/store/queries/run-texts.ts'
import type { Overview, OverviewQuery } from '../records/store/rollups/overview.ts'
import type { StatsQuery } from '../records/store/rollups/stats.ts'
import { emptySummary, type Summary, type SummaryQuery } from '../records/store/rollups/summary.ts'
import { Sums } from '../records/store/rollups/sums.ts'
import type { StoreQueries } from '../records/store/store.ts'

/** A run with everything that a record must have. */
export function runRecord(id: string, more: Partial<RunRecord> = {}): RunRecord {
  return {
    id,
    requestId: `request-${id}`,
    choice: 0,
    at: 1_700_000_000_000,
    ms: 12,
    api: 'chat',
    stream: false,
    model: 'small',
    upstream: 'local',
    upstreamModel: 'llama',
    contract: 'answers',
    key: '',
    status: 'valid',
    reason: 'clean',
    httpStatus: 200,
    attempts: [{ number: 1, call: 'run', ms: 10, issues: [] }],
    issues: [],
    fixed: [],
    repairs: [],
    unchecked: [],
    usage: { promptTokens: 3, completionTokens: 4 },
    delivered: true,
    ...more,
  }
}

/** Queries over runs that are kept in memory, and what they were asked; nothing is filtered. */
export class MemoryQueries implements StoreQueries {
  readonly runs: RunRecord[] = []
  readonly asked: unknown[] = []
  /** Thrown by every query while it is set. */
  failure: Error | undefined

  async listRuns(filter: RunFilter): Promise<RunPage> {
    this.#ask(filter)
    const start = filter.before === undefined ? 0 : position(filter.before)
    const end = start + (filter.limit ?? 50)
    return { runs: this.runs.map(summaryOf).reverse().slice(start, end), ...(end < this.runs.length ? { next: `c${end}` } : {}) }
  }

  async getRun(id: string): Promise<KeptRun | undefined> {
    this.#ask(id)
    const run = this.runs.find((one) => one.id === id)
    return run && { ...run, counts: countsOf(run) }
  }

  async listSessions(filter: { readonly limit?: number; readonly before?: string }) {
    this.#ask(filter)
    return { sessions: [] }
  }

  async getSession(session: string) {
    this.#ask(session)
    const found = this.runs.filter((run) => run.session === session)
    const [first] = found
    if (first === undefined) return undefined
    const steps = found.flatMap(({ facts, at }) => Object.values(facts ?? {}).map((step) => ({ step, at })))
    const request = first.request === undefined ? {} : { firstRequest: first.request }
    const times = { firstAt: first.at, lastAt: first.at }
    const newest = { runs: found.map(summaryOf) }
    return { session, ...times, runs: found.length, statuses: {}, steps, status: 'active' as const, ...request, newest }
  }

  async sessionSteps() {
    return []
  }

  async stats(query: StatsQuery) {
    this.#ask(query)
    return { ...query, buckets: [], runs: 0, codes: [], codesByContract: [], codesByModel: [] }
  }

  async summary(query: SummaryQuery): Promise<Summary> {
    this.#ask(query)
    return emptySummary(query.since, query.until)
  }

  async runsSince(cursor?: string, limit = 50): Promise<RunFeed> {
    this.#ask({ cursor, limit })
    const start = cursor === undefined ? this.runs.length : position(cursor)
    const runs = this.runs.slice(start, start + limit).map(summaryOf)
    return { runs, cursor: `c${start + runs.length}` }
  }

  async runTexts(runs: readonly { readonly id: string }[]) {
    const texts = runs.map(({ id }): [string, RunTexts] => {
      const run = this.runs.find((one) => one.id === id)
      const { request: question, context } = run ?? {}
      const written = run && writtenAnswer({ ...run, isChanged: run.repairs.length > 0 || run.fallback === true })
      return [id, { ...written, ...(question === undefined ? {} : { question }), ...(context && { context }) }]
    })
    return new Map(texts)
  }

  async overview(query: OverviewQuery): Promise<Overview> {
    this.#ask(query)
    const totals = new Sums().value()
    const lists = { contracts: [], models: [], upstreams: [], keys: [], rules: [], repairs: [], unchecked: [], failures: [] }
    return { since: query.since, until: query.until, bucketMs: 1, now: query.until, totals, before: totals, buckets: [], ...lists }
  }

  async contractStats(query: { readonly since: number; readonly until: number }) {
    this.#ask(query)
    return { ...query, items: [] }
  }

  async listAudit(filter: { readonly limit?: number; readonly before?: string }) {
    this.#ask(filter)
    return { audit: [] }
  }

  #ask(question: unknown): void {
    this.asked.push(question)
    if (this.failure) throw this.failure
  }
}

function position(cursor: string): number {
  const [, digits] = /^c(\d+)$/.exec(cursor) ?? []
  if (digits === undefined) throw new QueryError('the cursor is none')
  return Number(digits)
}

function summaryOf({ attempts, issues, fixed, repairs, unchecked: _unchecked, text: _text, ...rest }: RunRecord): ListedRun {
  return { ...rest, codes: [], classes: [], attempts: attempts.length, issues: issues.length, fixed: fixed.length, repairs: repairs.length }
}
