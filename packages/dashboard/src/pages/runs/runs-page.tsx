import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { filters, readFilters } from '../../app/filters.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { useServices } from '../../app/services.ts'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { chosenColumns } from './columns.tsx'
import { ExportButton } from './export-button.tsx'
import { LiveSwitch } from './live-switch.tsx'
import { RunTable } from './run-table.tsx'
import { SearchField } from './search-field.tsx'

const names = filters.map(({ name }) => name)

/** The runs of a period: filtered, searched, live, exported; all of it is in the address. */
export function RunsPage() {
  const { router, runList, me, now } = useServices()
  const { query } = router.place.value
  const period = readPeriod(query)
  const isRelative = 'range' in period
  // Words are found in an index that is made a moment later.
  const canBeLive = isRelative && (query.get('q') ?? '') === ''
  const isLive = canBeLive && query.get('live') !== 'off'
  const filtered = String(readFilters(query))
  const fixed = isRelative ? '' : `&since=${period.since}&until=${period.until}`

  useEffect(() => {
    // A period that ends now has no end, so that new runs belong to it.
    const start = isRelative ? `&since=${momentsOf(period, now.peek()).since}` : fixed
    const list = `${filtered}${start}`.replace(/^&/, '')
    runList.show(isRelative ? keptStart(runList, list, `${filtered} ${period.range.name}`) : list)
  }, [runList, filtered, fixed, isRelative ? period.range.name : ''])

  // Before the switch shows that it is off.
  useLayoutEffect(() => (isLive ? runList.listen(new URLSearchParams(filtered)) : undefined), [runList, isLive, filtered])

  const columns = useMemo(() => chosenColumns(query, me.value), [query, me.value])
  return (
    <Page
      isFull
      title="Runs"
      actions={
        <>
          {canBeLive && <LiveSwitch isLive={isLive} />}
          <RangePicker />
        </>
      }
      bar={
        <div class="runs-bar">
          <SearchField />
          <FilterBar names={names} />
          <div class="runs-tools">
            <ColumnMenu columns={columns} />
            <ExportButton />
          </div>
        </div>
      }
    >
      <RunTable columns={columns} />
    </Page>
  )
}

const starts = new WeakMap<object, { readonly name: string; readonly list: string }>()

/** The same view keeps the start that it had, so that it is not loaded again when a reader comes back. */
function keptStart(owner: object, list: string, name: string): string {
  const known = starts.get(owner)
  if (known?.name === name) return known.list
  starts.set(owner, { name, list })
  return list
}
