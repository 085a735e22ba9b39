import { useMemo, useState } from 'preact/hooks'
import { type Overview, statuses, type Totals } from '../../api/types.ts'
import { runsAddress } from '../../app/filters.ts'
import { periodParameters } from '../../app/period.ts'
import { useServices } from '../../app/services.ts'
import { Chart } from '../../components/chart/chart.tsx'
import type { Series } from '../../components/chart/chart-options.ts'
import { Link } from '../../components/link.tsx'
import { Panel } from '../../components/page.tsx'
import { Segments } from '../../components/segments.tsx'

type Bucket = Overview['buckets'][number]

const title = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1)

/** Runs by status, latency and cost over time, with one cursor. */
export function Charts({ data }: { readonly data: Overview }) {
  const { router, format } = useServices()
  const { buckets, bucketMs, totals } = data
  const [latency, setLatency] = useState<'answer' | 'added'>('answer')
  const [money, setMoney] = useState<'cost' | 'tokens'>(totals.cost > 0 ? 'cost' : 'tokens')
  const at = useMemo(() => buckets.map((bucket) => bucket.at), [buckets])
  const runs = useMemo(() => statusSeries(buckets), [buckets])
  const times = useMemo(() => latencySeries(buckets, latency), [buckets, latency])
  const spent = useMemo(() => spentSeries(buckets, money), [buckets, money])
  const partialFrom = buckets.find(({ partial }) => partial)?.at
  const { query } = router.place.value
  const shared = {
    ...{ at, bucketMs, partialFrom, group: 'overview' },
    onZoom: (since: number, until: number) => router.change(periodParameters({ since, until })),
    onPick: (since: number, until: number) => router.go(runsAddress(query, { ...periodParameters({ since, until }) })),
  }
  const write = money === 'cost' ? format.money : format.number
  return (
    <div class="charts">
      <Panel
        title="Runs by status"
        note={`${format.span(bucketMs)} each · ${format.zone(data.until)} · drag to zoom`}
        actions={
          <ul class="legend" aria-label="Statuses">
            {statuses
              .filter((status) => (totals.statuses[status] ?? 0) > 0)
              .map((status) => (
                <li key={status}>
                  <Link to={runsAddress(query, { status })} class="legend-entry">
                    <i class={`swatch ${status}-mark`} />
                    {title(status)}
                    <b>{format.number(totals.statuses[status] ?? 0)}</b>
                  </Link>
                </li>
              ))}
          </ul>
        }
      >
        <Chart {...shared} label={`Runs by status over time, ${totals.runs} in all`} series={runs} isStacked write={format.number} />
      </Panel>
      <div class="two">
        <Panel
          title="Latency"
          note="p50 and p95"
          actions={
            <Segments<'answer' | 'added'>
              label="Latency"
              value={latency}
              options={[
                ['answer', 'Whole answer'],
                ['added', 'Added'],
              ]}
              choose={(next) => setLatency(next)}
            />
          }
        >
          <Chart {...shared} label="Latency over time, p50 and p95" series={times} isStacked={false} write={format.duration} />
        </Panel>
        <Panel
          title="Spent"
          note="on answers and on retries"
          actions={
            <Segments<'cost' | 'tokens'>
              label="Unit"
              value={money}
              options={[
                ['cost', 'Money'],
                ['tokens', 'Tokens'],
              ]}
              choose={(next) => setMoney(next)}
            />
          }
        >
          <Chart {...shared} label="Spent over time on answers and on retries" series={spent} isStacked write={write} />
          <Spending totals={totals} unit={money} />
        </Panel>
      </div>
    </div>
  )
}

function Spending({ totals, unit }: { readonly totals: Totals; readonly unit: 'cost' | 'tokens' }) {
  const { format } = useServices()
  const isMoney = unit === 'cost'
  const all = isMoney ? totals.cost : totals.promptTokens + totals.completionTokens
  const again = isMoney ? totals.retryCost : totals.retryTokens
  const saved = isMoney ? totals.savedCost : totals.savedTokens
  const write = isMoney ? format.money : format.number
  return (
    <dl class="spending">
      <div>
        <dt>
          <i class="swatch quiet" />
          Answers
        </dt>
        <dd>{write(Math.max(0, all - again))}</dd>
      </div>
      <div>
        <dt>
          <i class="swatch strong-line" />
          Retries
        </dt>
        <dd>{write(again)}</dd>
      </div>
      <div title="What one more attempt would have cost for each run that a repair saved">
        <dt>Saved by repairs</dt>
        <dd>{write(saved)}</dd>
      </div>
    </dl>
  )
}

function statusSeries(buckets: readonly Bucket[]): readonly Series[] {
  return statuses.map((status) => ({
    name: title(status),
    colour: `${status}-mark`,
    values: buckets.map((bucket) => bucket.statuses[status] ?? 0),
  }))
}

function latencySeries(buckets: readonly Bucket[], of: 'answer' | 'added'): readonly Series[] {
  const [p50, p95] = of === 'answer' ? (['p50Ms', 'p95Ms'] as const) : (['addedP50Ms', 'addedP95Ms'] as const)
  return [
    { name: 'p50', colour: 'text', values: buckets.map((bucket) => bucket[p50] ?? null) },
    { name: 'p95', colour: 'quiet', isDashed: true, values: buckets.map((bucket) => bucket[p95] ?? null) },
  ]
}

function spentSeries(buckets: readonly Bucket[], unit: 'cost' | 'tokens'): readonly Series[] {
  const all = (bucket: Bucket): number => (unit === 'cost' ? bucket.cost : bucket.promptTokens + bucket.completionTokens)
  const again = (bucket: Bucket): number => (unit === 'cost' ? bucket.retryCost : bucket.retryTokens)
  return [
    { name: 'Answers', colour: 'quiet', values: buckets.map((bucket) => Math.max(0, all(bucket) - again(bucket))) },
    { name: 'Retries', colour: 'strong-line', values: buckets.map(again) },
  ]
}
