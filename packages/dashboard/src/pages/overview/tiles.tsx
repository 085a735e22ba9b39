import type { ComponentChildren } from 'preact'
import type { Overview, Totals } from '../../api/types.ts'
import { runsAddress } from '../../app/filters.ts'
import { useServices } from '../../app/services.ts'
import { Link } from '../../components/link.tsx'

/** One number: its name, its value, and how it differs from the period before. */
interface Tile {
  readonly title: string
  readonly value: string
  readonly note: ComponentChildren
  /** Filters of the runs that it counts. */
  readonly filter?: Readonly<Record<string, string | readonly string[]>>
}

const rate = (part: number | undefined, { runs }: Totals): number => (runs === 0 ? 0 : (part ?? 0) / runs)

/** The numbers of the period at a glance. */
export function Tiles({ data }: { readonly data: Overview }) {
  const { router, format } = useServices()
  const { totals, before } = data
  const { query } = router.place.value
  const share = (of: (one: Totals) => number | undefined, isBetter: 'more' | 'less') => ({
    value: format.share(of(totals) ?? 0, totals.runs),
    note: (
      <Change
        now={rate(of(totals), totals)}
        before={before.runs === 0 ? undefined : rate(of(before), before)}
        isBetter={isBetter}
        isShare
      />
    ),
  })
  const tiles: readonly Tile[] = [
    {
      ...{ title: 'Runs', value: format.number(totals.runs), filter: {} },
      note: <Change now={totals.runs} before={before.runs === 0 ? undefined : before.runs} />,
    },
    {
      ...{ title: 'Contract met', filter: { status: ['valid', 'repaired'] } },
      ...share(({ statuses }) => (statuses.valid ?? 0) + (statuses.repaired ?? 0), 'more'),
    },
    { title: 'Repaired', filter: { status: 'repaired' }, ...share(({ statuses }) => statuses.repaired, 'less') },
    { title: 'Asked again', ...share(({ retried }) => retried, 'less') },
    {
      ...{ title: 'Added, p95', value: totals.addedP95Ms === undefined ? '–' : format.duration(totals.addedP95Ms) },
      note: totals.addedP50Ms === undefined ? 'no runs' : `p50 ${format.duration(totals.addedP50Ms)}`,
    },
    {
      ...{ title: 'Spent', value: format.money(totals.cost) },
      note: `${format.number(totals.promptTokens + totals.completionTokens)} tokens`,
    },
    {
      ...{ title: 'Saved by repairs', value: format.money(totals.savedCost) },
      note: `${format.number(totals.savedTokens)} tokens`,
    },
  ]
  return (
    <ul class="tiles" aria-label="Totals">
      {tiles.map(({ title, value, note, filter }) => (
        <li key={title} class="tile">
          {filter === undefined ? (
            <span class="tile-title">{title}</span>
          ) : (
            <Link to={runsAddress(query, filter)} class="tile-title tile-link">
              {title}
            </Link>
          )}
          <strong class="tile-value">{value}</strong>
          <span class="tile-note quiet">{note}</span>
        </li>
      ))}
    </ul>
  )
}

interface ChangeProps {
  readonly now: number
  readonly before: number | undefined
  readonly isBetter?: 'more' | 'less'
  readonly isShare?: boolean
}

/** How a number differs from the period before: in percent, or in points of a share. */
function Change({ now, before, isBetter, isShare = false }: ChangeProps) {
  if (before === undefined) return <>nothing before</>
  const change = isShare ? (now - before) * 100 : before === 0 ? 0 : ((now - before) / before) * 100
  const rounded = Math.abs(change) < 10 ? Math.abs(change).toFixed(1) : String(Math.round(Math.abs(change)))
  if (Number(rounded) === 0) return <>as before</>
  const isGood = isBetter === undefined ? undefined : change > 0 === (isBetter === 'more')
  return (
    <>
      <span class={isGood === undefined ? 'trend' : isGood ? 'trend good' : 'trend bad'}>
        {change > 0 ? '↑' : '↓'} {rounded}
        {isShare ? ' pts' : ' %'}
      </span>{' '}
      vs. before
    </>
  )
}
