import fc from 'fast-check'
import type { RunRecord } from '../../records/run/run-record.ts'
import type { OverviewQuery } from '../../records/store/rollups/overview.ts'
import { fullIssue, sampleRun } from '../store-fixtures.ts'

const some = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const issues = fc.array(
  fc.record({ severity: some('error' as const, 'warning' as const), validator: some('json', 'words'), code: some('ONE', 'TWO') }),
  { maxLength: 3 },
)
const usage = fc.record({ promptTokens: fc.nat(100), completionTokens: fc.nat(100), cost: fc.nat(50) })
const repairs = fc.array(fc.record({ rule: some('trim', 'close'), class: some('lossless' as const, 'lossy' as const) }), { maxLength: 3 })
const unchecked = fc.array(fc.record({ validator: some('files', 'links'), cause: some('timeout' as const, 'crash' as const) }), {
  maxLength: 2,
})
const ms = fc.double({ min: 0, max: 100_000, noNaN: true })
const run = fc.record({
  at: fc.nat(7_200_000),
  contract: some('a', 'b', 'c'),
  model: some('m1', 'm2', 'm3'),
  upstream: some('u1', 'u2'),
  key: some('', 'team', 'other'),
  api: some('chat', 'messages'),
  status: some<RunRecord['status']>('valid', 'repaired', 'unresolved', 'failed', 'unchecked'),
  reason: some('clean', 'attempts'),
  failure: some(undefined, 'http'),
  ...{ ms, addedMs: fc.option(ms, { nil: undefined }), firstTextMs: fc.option(ms, { nil: undefined }) },
  attempts: fc.array(fc.record({ issues, usage }), { minLength: 1, maxLength: 3 }),
  ...{ remaining: issues, fixed: issues, repairs, unchecked },
})

/** Runs of every kind within two hours of a time. */
export function runsSince(since: number, count: number): RunRecord[] {
  return fc
    .sample(run, count)
    .map(({ at, failure, addedMs, firstTextMs, attempts, remaining, fixed, repairs, unchecked, ...rest }, index) => {
      const found = (list: readonly object[]) => list.map((one) => ({ ...fullIssue, ...one }))
      const total = (part: 'promptTokens' | 'completionTokens' | 'cost') => attempts.reduce((sum, one) => sum + one.usage[part], 0)
      return sampleRun(index, {
        ...rest,
        at: since + at,
        ...(failure === undefined ? {} : { failure: { kind: failure, message: 'no' } }),
        ...(addedMs === undefined ? {} : { addedMs }),
        ...(firstTextMs === undefined ? {} : { firstTextMs }),
        attempts: attempts.map((one, number) => ({ number: number + 1, call: 'run', ms: 1, usage: one.usage, issues: found(one.issues) })),
        issues: found(remaining),
        fixed: found(fixed),
        repairs: repairs.map((one) => ({ ...one, span: { start: 0, end: 1 }, before: ' ', after: '' })),
        unchecked: unchecked.map((one) => ({ ...one, message: 'no' })),
        usage: { promptTokens: total('promptTokens'), completionTokens: total('completionTokens'), cost: total('cost') },
      })
    })
}

/** Filters of every kind. */
export function filters(count: number): Omit<OverviewQuery, 'since' | 'until'>[] {
  const list = <Value extends string>(...values: readonly Value[]) => fc.subarray([...values], { minLength: 1 })
  const filter = fc.record(
    {
      ...{ contract: list('a', 'b', 'none'), model: list('m1', 'm2'), upstream: list('u1'), key: list('team', 'other') },
      ...{ api: list('chat'), status: list('valid', 'failed', 'repaired'), owner: some('team') },
    },
    { requiredKeys: [] },
  )
  return fc.sample(filter, count) as Omit<OverviewQuery, 'since' | 'until'>[]
}

/** Whether a run matches, by the plainest means. */
export function matches(one: RunRecord, filter: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([name, values]) =>
    name === 'owner' ? one.key === values : (values as string[]).includes(one[name as 'model']),
  )
}

/** The sums of some runs, by the plainest means; percentiles are exact. */
export function totalsOf(runs: readonly RunRecord[]) {
  const sum = (of: (one: RunRecord) => number) => runs.reduce((total, one) => total + of(one), 0)
  const retryUsage = (one: RunRecord) => one.attempts.slice(1).map((attempt) => attempt.usage)
  const tokens = (used: RunRecord['attempts'][number]['usage']) => (used?.promptTokens ?? 0) + (used?.completionTokens ?? 0)
  const saved = (one: RunRecord) => (one.status === 'repaired' ? one.attempts.at(-1)?.usage : undefined)
  const share = (of: (one: RunRecord) => number | undefined, part: number) => {
    const values = runs.flatMap((one) => of(one) ?? []).sort((a, b) => a - b)
    return values.length === 0 ? {} : values[Math.max(0, Math.ceil(values.length * part) - 1)]
  }
  const times = {
    ...{ p50Ms: share((one) => one.ms, 0.5), p95Ms: share((one) => one.ms, 0.95) },
    ...{ addedP50Ms: share((one) => one.addedMs, 0.5), addedP95Ms: share((one) => one.addedMs, 0.95) },
    firstTextP50Ms: share((one) => one.firstTextMs, 0.5),
  }
  return {
    sums: {
      runs: runs.length,
      attempts: sum((one) => one.attempts.length),
      retries: sum((one) => one.attempts.length - 1),
      retried: sum((one) => (one.attempts.length > 1 ? 1 : 0)),
      repairs: sum((one) => one.repairs.length),
      promptTokens: sum((one) => one.usage.promptTokens),
      completionTokens: sum((one) => one.usage.completionTokens),
      cost: sum((one) => one.usage.cost ?? 0),
      retryTokens: sum((one) => retryUsage(one).reduce((total, used) => total + tokens(used), 0)),
      retryCost: sum((one) => retryUsage(one).reduce((total, used) => total + (used?.cost ?? 0), 0)),
      savedTokens: sum((one) => tokens(saved(one))),
      savedCost: sum((one) => saved(one)?.cost ?? 0),
      statuses: Object.fromEntries(
        [...new Set(runs.map(({ status }) => status))].map((name) => [name, runs.filter(({ status }) => status === name).length]),
      ),
    },
    times: Object.fromEntries(Object.entries(times).filter(([, value]) => typeof value === 'number')) as Record<string, number>,
  }
}

/** How often pairs of names occur in runs. */
export function counted(runs: readonly RunRecord[], of: (one: RunRecord) => readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of runs) for (const pair of of(one)) counts[pair] = (counts[pair] ?? 0) + 1
  return counts
}
