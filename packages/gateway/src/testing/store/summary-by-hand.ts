import fc from 'fast-check'
import type { AttemptRecord, RunRecord } from '../../records/run/run-record.ts'
import type { SummaryQuery } from '../../records/store/rollups/summary.ts'
import { fullIssue, sampleRun, sampleTime } from '../store-fixtures.ts'

const issue = fc.record({
  severity: fc.constantFrom('error' as const, 'warning' as const),
  validator: fc.constantFrom('json', 'max_words', 'citations'),
  code: fc.constantFrom('ONE', 'TWO'),
})
const attempt = fc.record({
  issues: fc.array(issue, { maxLength: 3 }),
  usage: fc.option(fc.record({ promptTokens: fc.nat(100), completionTokens: fc.nat(100) }), { nil: undefined }),
})
const run = fc.record({
  contract: fc.constantFrom('a', 'b', 'c'),
  model: fc.constantFrom('m1', 'm2'),
  key: fc.constantFrom('', 'team', 'other'),
  status: fc.constantFrom('valid', 'repaired', 'unresolved', 'failed', 'unchecked'),
  reason: fc.constantFrom('clean', 'attempts', 'deadline'),
  failure: fc.constantFrom(undefined, undefined, 'http', 'timeout'),
  at: fc.nat(150_000),
  cost: fc.option(fc.nat(1000), { nil: undefined }),
  attempts: fc.array(attempt, { minLength: 1, maxLength: 4 }),
})

/** Runs of every kind, some of them outside of the first 100 seconds. */
export function randomRuns(count: number): RunRecord[] {
  return fc.sample(run, count).map(({ attempts, cost, at, failure, ...rest }, index) => {
    const kept = attempts.map(({ issues, usage }, number) => ({
      ...{ number: number + 1, call: 'run' as const, ms: 1, issues: issues.map((found) => ({ ...fullIssue, ...found })) },
      ...(usage ? { usage } : {}),
    }))
    const usage = { promptTokens: index, completionTokens: 2 * index, ...(cost === undefined ? {} : { cost }) }
    const failed = failure === undefined ? {} : { failure: { kind: failure, message: 'no' } }
    return sampleRun(index, { ...rest, ...failed, at: sampleTime + at, attempts: kept, usage })
  })
}

/** The summary of runs by the plainest means. */
export function addedUp(all: readonly RunRecord[], { since, until }: { since: number; until: number }, filter: Partial<SummaryQuery>) {
  const key = filter.owner ?? filter.key
  const runs = all.filter(
    (one) =>
      one.at >= since &&
      one.at < until &&
      (filter.contract === undefined || one.contract === filter.contract) &&
      (filter.model === undefined || one.model === filter.model) &&
      (key === undefined || one.key === key),
  )
  const groups = (of: (one: RunRecord) => string) =>
    [...new Set(runs.map(of))].map((name) => [name, totals(runs.filter((one) => of(one) === name))] as const)
  const bad = runs.filter(({ status }) => ['unresolved', 'unchecked', 'failed'].includes(status))
  const causes = new Set(
    bad.map(({ status, reason, failure }) => JSON.stringify({ status, reason, ...(failure ? { failure: failure.kind } : {}) })),
  )
  const errors = runs.map(
    ({ attempts }) =>
      new Set(attempts.flatMap(({ issues }) => issues.filter(isError).map(({ validator, code }) => `${validator} ${code}`))),
  )
  return {
    ...totals(runs),
    contracts: groups(({ contract }) => contract).map(([contract, sums]) => ({ contract, ...sums })),
    keys: groups((one) => one.key).map(([name, sums]) => ({ key: name, ...sums })),
    failures: [...causes].map((cause) => ({
      ...(JSON.parse(cause) as object),
      runs: bad.filter(
        (one) =>
          JSON.stringify({ status: one.status, reason: one.reason, ...(one.failure ? { failure: one.failure.kind } : {}) }) === cause,
      ).length,
    })),
    codes: [...new Set(errors.flatMap((found) => [...found]))].map((text) => {
      const [validator, code] = text.split(' ')
      return { validator, code, runs: errors.filter((found) => found.has(text)).length }
    }),
    validators: ['json', 'max_words', 'citations'].flatMap((validator) => blameOf(validator, runs)),
  }
}

/** The same with numbers to a millionth and lists in one order, which sums of fractions need. */
export function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value * 1e6) / 1e6
  if (Array.isArray(value)) return value.map(rounded).sort((a, b) => (JSON.stringify(a, keysOf(a)) < JSON.stringify(b, keysOf(b)) ? -1 : 1))
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rounded(one)]))
    : value
}

function keysOf(value: unknown): string[] {
  return Object.keys(Object(value)).sort()
}

function totals(runs: readonly RunRecord[]) {
  const sum = (of: (one: RunRecord) => number) => runs.reduce((total, one) => total + of(one), 0)
  const statuses = [...new Set(runs.map(({ status }) => status))]
  return {
    runs: runs.length,
    statuses: Object.fromEntries(statuses.map((status) => [status, runs.filter((one) => one.status === status).length])),
    attempts: sum(({ attempts }) => attempts.length),
    retries: sum(({ attempts }) => attempts.length - 1),
    repairs: 0,
    promptTokens: sum(({ usage }) => usage.promptTokens),
    completionTokens: sum(({ usage }) => usage.completionTokens),
    cost: sum(({ usage }) => usage.cost ?? 0),
  }
}

function blameOf(validator: string, runs: readonly RunRecord[]) {
  const found = runs.flatMap((one) =>
    one.attempts.slice(1).flatMap((next, index) => {
      const blamed = new Set((one.attempts[index]?.issues ?? []).filter(isError).map((issue) => issue.validator))
      const all = one.attempts.reduce((total, attempt) => total + tokens(attempt, one), 0)
      const own = tokens(next, one)
      const share = all === 0 ? 1 / one.attempts.length : own / all
      return blamed.has(validator) ? [{ id: one.id, tokens: own / blamed.size, cost: ((one.usage.cost ?? 0) * share) / blamed.size }] : []
    }),
  )
  const sum = (of: 'tokens' | 'cost') => found.reduce((total, one) => total + one[of], 0)
  const blame = {
    validator,
    runs: new Set(found.map(({ id }) => id)).size,
    retries: found.length,
    tokens: sum('tokens'),
    cost: sum('cost'),
  }
  return found.length === 0 ? [] : [blame]
}

function tokens({ usage }: AttemptRecord, { attempts, usage: whole }: RunRecord): number {
  if (usage) return usage.promptTokens + usage.completionTokens
  let left = whole.promptTokens + whole.completionTokens
  for (const other of attempts) left -= other.usage ? other.usage.promptTokens + other.usage.completionTokens : 0
  return left < 0 ? 0 : left / attempts.filter((other) => !other.usage).length
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error'
}
