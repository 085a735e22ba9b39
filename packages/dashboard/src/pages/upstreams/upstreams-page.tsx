import { useMemo } from 'preact/hooks'
import type { GatewayState, Overview, UpstreamState } from '../../api/types.ts'
import { runsAddress } from '../../app/filters.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { useServices } from '../../app/services.ts'
import { useResource } from '../../app/use-resource.ts'
import { Text } from '../../components/code.tsx'
import { Facts } from '../../components/facts.tsx'
import { Link } from '../../components/link.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { Tag } from '../../components/pill.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Empty, Failure, Skeleton } from '../../components/state.tsx'
import { StatusBar } from '../../components/status-bar.tsx'
import { Ago } from '../../components/time.tsx'
import { upstreamHealth } from '../../components/upstream-health.ts'

const everyMs = 5000

/** The upstreams: circuit, latency and errors now, and how their answers ended in the period. */
export function UpstreamsPage() {
  const { router, now } = useServices()
  const { since, until } = momentsOf(readPeriod(router.place.value.query), now.value)
  const gateway = useResource<GatewayState>('gateway', everyMs)
  const overview = useResource<Overview>(`overview?since=${since}&until=${until}`)
  const sums = useMemo(() => new Map((overview.data?.upstreams ?? []).map((one) => [one.upstream, one])), [overview.data])
  const upstreams = gateway.data?.upstreams
  return (
    <Page title="Upstreams" actions={<RangePicker />}>
      {gateway.error !== undefined && <Failure error={gateway.error} what="The state of the upstreams" retry={gateway.reload} />}
      {upstreams === undefined && gateway.error === undefined && <Skeleton rows={3} tall />}
      {upstreams?.length === 0 && (
        <Empty icon="upstreams" title="No upstreams">
          Providers in <code>upstreams</code> of the configuration appear here with their latency, errors and circuit.
        </Empty>
      )}
      <div class="cards">
        {upstreams?.map((upstream) => (
          <Upstream key={upstream.name} upstream={upstream} sums={sums.get(upstream.name)} />
        ))}
      </div>
    </Page>
  )
}

interface UpstreamProps {
  readonly upstream: UpstreamState
  readonly sums: Overview['upstreams'][number] | undefined
}

function Upstream({ upstream, sums }: UpstreamProps) {
  const { router, format } = useServices()
  const { name, kind, models, breaker, breakerAt, calls, errors, p50Ms, p95Ms, lastError } = upstream
  const last = lastError && `${lastError.kind}${lastError.status === undefined ? '' : ` ${lastError.status}`}`
  return (
    <Panel title={format.visible(name)} note={format.visible(kind)} actions={<Tag {...upstreamHealth(upstream)} />}>
      <div class="panel-body">
        {breaker === 'open' && <p class="problem">Calls are rejected at once, until a call that tries it again succeeds.</p>}
        <Facts
          facts={[
            ['Calls', format.number(calls)],
            ['Errors', `${format.number(errors)} (${format.share(errors, calls)})`],
            ['p50', p50Ms === undefined ? undefined : format.duration(p50Ms)],
            ['p95', p95Ms === undefined ? undefined : format.duration(p95Ms)],
            ['Circuit changed', breakerAt !== undefined && <Ago at={breakerAt} />],
            [
              'Last error',
              lastError && (
                <>
                  <Text>{last ?? ''}</Text>, <Ago at={lastError.at} />
                </>
              ),
            ],
            ['Models', models.length > 0 && <Text>{models.slice(0, 12).join(', ')}</Text>],
            [
              'Runs in this period',
              sums && (
                <Link to={runsAddress(router.place.value.query, { upstream: name })} class="text-link">
                  {format.number(sums.runs)}
                </Link>
              ),
            ],
            ['Answers', sums && <StatusBar counts={sums.statuses} />],
            ['Cost', sums && sums.cost > 0 && format.money(sums.cost)],
          ]}
        />
      </div>
    </Panel>
  )
}
