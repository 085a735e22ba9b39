import { useCallback, useRef, useState } from 'preact/hooks'
import type { RunRow } from '../../api/types.ts'
import { readFilters } from '../../app/filters.ts'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { useShortcuts } from '../../app/use-shortcuts.ts'
import { lazy } from '../../components/lazy.tsx'
import { Empty, Failure, Skeleton, useFirstCurl } from '../../components/state.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
import { fittingColumns, type RunColumn, templateOf } from './columns.tsx'

const rowHeight = 32
/** Narrower pages open a run on its own page. */
const leastForPanel = 860
const panelPart = 0.48

const Panel = lazy(
  async () => (await import('../run/run-panel.tsx')).RunPanel,
  ({ children }) => <aside class="run-panel">{children}</aside>,
)

/** The rows; only those in view exist. */
export function RunTable({ columns: wanted }: { readonly columns: readonly RunColumn[] }) {
  const { runList, router, format, space } = useServices()
  const shown = router.place.value.query.get('run') ?? ''
  const hasPanel = shown !== '' && space.value >= leastForPanel
  const columns = fittingColumns(wanted, hasPanel ? space.value * (1 - panelPart) - 24 : space.value)
  const [chosen, setChosen] = useState(runList.view.chosen)
  const place = useRef<HTMLDivElement>(null)
  const rows = runList.rows.value
  const isLoading = runList.isLoading.value
  const error = runList.error.value
  const waiting = runList.waiting.value

  const choose = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    runList.view.chosen = next
    setChosen(next)
    if (hasPanel) open(rows[next])
  }
  const open = (run: RunRow | undefined): void => {
    if (run === undefined) return
    if (space.peek() >= leastForPanel) router.change({ run: run.id }, { replace: hasPanel })
    else router.go(pathOf('runs', run.id))
  }
  const at = hasPanel ? rows.findIndex(({ id }) => id === shown) : -1
  useShortcuts([
    { keys: 'j', says: 'Next row', run: () => choose(chosen === undefined ? 0 : chosen + 1) },
    { keys: 'k', says: 'Previous row', run: () => choose(chosen === undefined ? 0 : chosen - 1) },
    { keys: 'Enter', says: 'Open the row', run: () => chosen !== undefined && open(rows[chosen]) },
  ])
  const hold = (isOver: boolean): void => runList.hold(isOver || runList.view.top > 0)
  const more = useCallback(() => runList.more(), [runList])

  if (rows.length === 0 && error !== undefined) {
    return (
      <div class="list-note">
        <Failure error={error} what="The runs" retry={runList.reload} />
      </div>
    )
  }
  if (rows.length === 0 && isLoading)
    return (
      <div class="list-note">
        <Skeleton rows={14} />
      </div>
    )
  if (rows.length === 0) return <NoRuns />

  const template = { gridTemplateColumns: templateOf(columns) }
  const row = (index: number) => {
    const run = rows[index]
    if (run === undefined) return null
    return (
      // biome-ignore lint/a11y/useSemanticElements: rows of a table element cannot be placed one by one.
      // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and j, k and Enter work in it.
      // biome-ignore lint/a11y/useKeyWithClickEvents: the same.
      <div
        key={run.id}
        class={index === chosen ? 'list-row chosen' : 'list-row'}
        role="row"
        aria-rowindex={index + 2}
        aria-selected={index === chosen}
        style={template}
        onClick={() => {
          choose(index)
          if (!hasPanel) open(run)
        }}
      >
        {columns.map((column) => (
          // biome-ignore lint/a11y/useSemanticElements: as above.
          <div key={column.name} class={classOf(column)} role="cell">
            {column.cell(run, format)}
          </div>
        ))}
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only holds new runs back while the pointer is over the rows.
    <div class="list-frame" ref={place} onMouseEnter={() => hold(true)} onMouseLeave={() => hold(false)}>
      {waiting.length > 0 && (
        <button
          type="button"
          class="button primary fresh"
          onClick={() => {
            runList.release()
            const list = place.current?.querySelector('.list')
            if (list) list.scrollTop = 0
          }}
        >
          Show {format.number(waiting.length)} new {waiting.length === 1 ? 'run' : 'runs'}
        </button>
      )}
      <VirtualList
        label="Runs"
        count={rows.length}
        rowHeight={rowHeight}
        startAt={runList.view.top}
        chosen={chosen}
        onScroll={(top) => {
          runList.view.top = top
          hold(false)
        }}
        onNearEnd={more}
        row={row}
        head={
          // biome-ignore lint/a11y/useSemanticElements: as the rows.
          // biome-ignore lint/a11y/useFocusableInteractive: it does nothing.
          <div class="list-head" role="row" style={template}>
            {columns.map((column) => (
              // biome-ignore lint/a11y/useSemanticElements: as the rows.
              // biome-ignore lint/a11y/useFocusableInteractive: it does nothing.
              <div key={column.name} class={classOf(column)} role="columnheader">
                {column.title}
              </div>
            ))}
          </div>
        }
        foot={<Foot />}
      />
      {hasPanel && (
        <Panel
          id={shown}
          previous={rows[at - 1]?.id}
          next={at === -1 ? undefined : rows[at + 1]?.id}
          open={(id) => choose(rows.findIndex((run) => run.id === id))}
          close={() => {
            router.change({ run: '' })
            // The panel, which may have had the focus, is gone.
            place.current?.querySelector<HTMLElement>('.list')?.focus()
          }}
        />
      )}
    </div>
  )
}

function classOf({ isNumber }: RunColumn): string {
  return isNumber ? 'cell number' : 'cell'
}

/** After the last row: more to come, the end, or what went wrong. */
function Foot() {
  const { runList } = useServices()
  const error = runList.error.value
  if (error !== undefined) {
    return (
      <div class="list-note">
        <Failure error={error} what="More runs" retry={runList.reload} />
      </div>
    )
  }
  return <p class="list-end quiet">{runList.isEnd.value ? 'No older runs in this period.' : 'Loading older runs…'}</p>
}

function NoRuns() {
  const { router } = useServices()
  const curl = useFirstCurl()
  const active = readFilters(router.place.value.query)
  if ([...active].length > 0) {
    return (
      <Empty icon="filter" title="No run matches">
        Remove a filter, or choose a longer period.
      </Empty>
    )
  }
  return (
    <Empty icon="runs" title="No runs in this period" curl={curl}>
      Every request appears here as soon as it is answered: how it ended, what was repaired, what it cost. Send one:
    </Empty>
  )
}
