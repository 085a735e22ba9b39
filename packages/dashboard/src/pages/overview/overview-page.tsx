import { useMemo } from 'preact/hooks'
import type { GatewayState, Overview } from '../../api/types.ts'
import { readFilters } from '../../app/filters.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { useServices } from '../../app/services.ts'
import { useResource } from '../../app/use-resource.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Empty, Failure, Skeleton, useFirstCurl } from '../../components/state.tsx'
import { Charts } from './charts.tsx'
import { Gateway } from './gateway.tsx'
import { Tiles } from './tiles.tsx'
import { Tops } from './tops.tsx'

/** The filters by which sums are kept. */
const kept = ['status', 'contract', 'model', 'upstream', 'key', 'api']
const gatewayMs = 15_000

/** How answers ended over time, what failed, what it cost, and the state of the gateway. */
export function OverviewPage() {
  const { router, now, me } = useServices()
  const { query } = router.place.value
  const { since, until } = momentsOf(readPeriod(query), now.value)
  const path = useMemo(() => {
    const parameters = new URLSearchParams([...readFilters(query)].filter(([name]) => kept.includes(name)))
    parameters.set('since', String(since))
    parameters.set('until', String(until))
    return `overview?${parameters}`
  }, [query, since, until])
  const overview = useResource<Overview>(path)
  const gateway = useResource<GatewayState>(me.value?.role === 'client' ? undefined : 'gateway', gatewayMs)
  return (
    <Page title="Overview" beside={<FilterBar names={kept} />} actions={<RangePicker />}>
      {overview.error !== undefined && <Failure error={overview.error} what="The overview" retry={overview.reload} />}
      {overview.data === undefined && overview.error === undefined && <Skeleton rows={4} tall />}
      {overview.data?.behind && (
        <p class="behind quiet" role="note">
          Sums are catching up: the newest runs are not yet counted.
        </p>
      )}
      {overview.data !== undefined && <Content data={overview.data} />}
      {gateway.data !== undefined && <Gateway state={gateway.data} />}
    </Page>
  )
}

function Content({ data }: { readonly data: Overview }) {
  const { router } = useServices()
  const curl = useFirstCurl()
  const isFiltered = [...readFilters(router.place.value.query)].length > 0
  if (data.totals.runs === 0 && data.before.runs === 0 && !isFiltered) {
    return (
      <Empty icon="overview" title="No runs in this period" curl={curl}>
        Runs by status, what was repaired or asked again, latency and cost appear here as soon as a request arrives.
      </Empty>
    )
  }
  return (
    <div class="overview">
      <Tiles data={data} />
      <Charts data={data} />
      <Tops data={data} />
    </div>
  )
}
