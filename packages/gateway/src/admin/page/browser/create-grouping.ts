import type { Stats } from '../../../records/store/queries/stats.ts'

/** Sums and sorts. */
export type Grouping = ReturnType<typeof createGrouping>

/** The fields that the order of runs depends on. */
interface Placed {
  readonly id: string
  readonly at: number
}

/** Makes the functions that sum statistics and sort runs. */
export function createGrouping() {
  const statuses = ['valid', 'repaired', 'unresolved', 'unchecked', 'failed', 'unenforced'] as const
  const order: readonly string[] = [...statuses, 'other']

  /** The CSS class of a status: one of a fixed set, also for unknown ones. */
  const kindOf = (status: string): string => statuses.find((known) => known === status) ?? 'other'

  const newestFirst = (a: Placed, b: Placed): number => b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

  return {
    statuses,
    kindOf,

    /** Sums over all buckets. */
    totals({ buckets }: Pick<Stats, 'buckets'>) {
      const byStatus = new Map<string, number>(statuses.map((status) => [status, 0]))
      const sums = { runs: 0, retries: 0, repairs: 0, promptTokens: 0, completionTokens: 0, cost: 0 }
      for (const bucket of buckets) {
        for (const [status, runs] of Object.entries(bucket.statuses)) byStatus.set(status, (byStatus.get(status) ?? 0) + runs)
        sums.runs += bucket.runs
        sums.retries += bucket.retries
        sums.repairs += bucket.repairs
        sums.promptTokens += bucket.promptTokens
        sums.completionTokens += bucket.completionTokens
        sums.cost += bucket.cost
      }
      return { ...sums, statuses: [...byStatus] }
    },

    /** The parts of the bars, stacked from below, in a box of the given height; each bar is one unit wide. */
    bars({ buckets }: Pick<Stats, 'buckets'>, height: number) {
      const most = buckets.reduce((largest, { runs }) => Math.max(largest, runs), 0)
      return buckets.map((bucket, x) => {
        let top = height
        const parts = Object.entries(bucket.statuses)
          .map(([status, runs]) => ({ kind: kindOf(status), runs }))
          .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
          .map(({ kind, runs }) => {
            const size = (height * runs) / most
            top -= size
            return { kind, y: top, height: size }
          })
        return { x, at: bucket.at, runs: bucket.runs, parts }
      })
    },

    /** Known and new runs merged, each once in its latest version, newest first. */
    merge<Run extends Placed>(known: readonly Run[], fresh: readonly Run[], most: number): readonly Run[] {
      const byId = new Map([...known, ...fresh].map((run) => [run.id, run]))
      return [...byId.values()].sort(newestFirst).slice(0, most)
    },
  }
}
