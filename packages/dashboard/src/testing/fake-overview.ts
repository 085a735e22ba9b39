import type { Overview, RunRow, Totals } from '../api/types.ts'

/** Sums runs as the gateway does. */
export function fakeOverview(runs: readonly RunRow[], since: number, until: number, now: number): Overview {
  const inside = (from: number, to: number) => runs.filter(({ at }) => at >= from && at < to)
  const current = inside(since, until)
  const bucketMs = [60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000].find((size) => (until - since) / size <= 120) ?? 86_400_000
  const first = Math.floor(since / bucketMs) * bucketMs
  const count = Math.ceil((until - first) / bucketMs)
  const parts = Array.from({ length: count }, (): RunRow[] => [])
  for (const run of current) parts[Math.floor((run.at - first) / bucketMs)]?.push(run)
  const buckets = parts.map((part, index) => {
    const at = first + index * bucketMs
    return { at, ...totalsOf(part), ...(at + bucketMs > now ? { partial: true } : {}) }
  })
  return {
    ...{ since, until, bucketMs, now, buckets },
    totals: totalsOf(current),
    before: totalsOf(inside(since - (until - since), since)),
    models: groups(current, 'model').map(([model, own]) => ({ model, ...totalsOf(own) })),
    contracts: groups(current, 'contract').map(([contract, own]) => ({ contract, ...totalsOf(own) })),
    keys: groups(current, 'key').map(([key, own]) => ({ key, ...totalsOf(own) })),
    upstreams: groups(current, 'upstream').map(([upstream, own]) => ({ upstream, ...totalsOf(own) })),
    rules: rulesOf(current),
    repairs: groups(
      current.filter(({ repairs }) => repairs > 0),
      'contract',
    ).map(([contract, own]) => ({
      ...{ rule: `${contract}-repair`, class: own[0]?.classes?.[0] ?? 'lossless', runs: own.length },
      count: own.reduce((sum, { repairs }) => sum + repairs, 0),
    })),
    unchecked: current.some(({ status }) => status === 'unchecked')
      ? [{ validator: 'remote', cause: 'timeout', runs: current.filter(({ status }) => status === 'unchecked').length }]
      : [],
    failures: groups(
      current.filter(({ status }) => status === 'failed' || status === 'unresolved'),
      'reason',
    ).map(([reason, own]) => ({
      ...{ status: own[0]?.status ?? '', reason, runs: own.length },
      ...(own[0]?.failure === undefined ? {} : { failure: own[0].failure.kind }),
    })),
  }
}

function rulesOf(runs: readonly RunRow[]): Overview['rules'] {
  const byRule = new Map<string, RunRow[]>()
  for (const run of runs) for (const code of run.codes ?? []) byRule.set(code, [...(byRule.get(code) ?? []), run])
  return [...byRule]
    .map(([name, own]) => {
      const slash = name.indexOf('/')
      const fixed = own.filter(({ status }) => status === 'repaired').length
      const remaining = own.filter(({ status }) => status === 'unresolved').length
      const retries = own.reduce((sum, { attempts }) => sum + attempts - 1, 0)
      return {
        validator: name.slice(0, slash),
        code: name.slice(slash + 1),
        runs: own.length,
        fixed,
        remaining,
        retries,
        cost: retries * 0.0004,
      }
    })
    .sort((a, b) => b.runs - a.runs)
    .slice(0, 20)
}

function groups(runs: readonly RunRow[], by: 'model' | 'contract' | 'key' | 'upstream' | 'reason'): [string, RunRow[]][] {
  const found = new Map<string, RunRow[]>()
  for (const run of runs) {
    const known = found.get(run[by])
    if (known === undefined) found.set(run[by], [run])
    else known.push(run)
  }
  return [...found].sort(([, a], [, b]) => b.length - a.length).slice(0, 20)
}

function totalsOf(runs: readonly RunRow[]): Totals {
  const statuses: Record<string, number> = {}
  for (const { status } of runs) statuses[status] = (statuses[status] ?? 0) + 1
  const sum = (of: (run: RunRow) => number) => runs.reduce((total, run) => total + of(run), 0)
  const again = (run: RunRow) => (run.attempts - 1) / run.attempts
  const saved = (run: RunRow) => (run.status === 'repaired' ? 1 / run.attempts : 0)
  const tokens = ({ usage }: RunRow) => usage.promptTokens + usage.completionTokens
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return {
    ...{ runs: runs.length, statuses, attempts: sum(({ attempts }) => attempts), retries: sum(({ attempts }) => attempts - 1) },
    ...{ retried: sum(({ attempts }) => Number(attempts > 1)), repairs: sum(({ repairs }) => repairs) },
    ...{ promptTokens: sum(({ usage }) => usage.promptTokens), completionTokens: sum(({ usage }) => usage.completionTokens) },
    cost: sum(({ usage }) => usage.cost ?? 0),
    ...{ retryTokens: Math.round(sum((run) => tokens(run) * again(run))), retryCost: sum((run) => (run.usage.cost ?? 0) * again(run)) },
    ...{ savedTokens: Math.round(sum((run) => tokens(run) * saved(run))), savedCost: sum((run) => (run.usage.cost ?? 0) * saved(run)) },
    ...(runs.length === 0 ? {} : { p50Ms: at(0.5), p95Ms: at(0.95), addedP50Ms: at(0.5) / 300, addedP95Ms: at(0.95) / 120 }),
  }
}
