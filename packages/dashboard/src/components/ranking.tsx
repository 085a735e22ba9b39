import { useServices } from '../app/services.ts'
import { Link } from './link.tsx'
import { Panel } from './page.tsx'

/** One row: a name that leads somewhere, and numbers. */
export interface RankedRow {
  readonly name: string
  readonly note?: string
  readonly to?: string
  /** The length of its bar, compared with the other rows. */
  readonly amount: number
  readonly cells: readonly string[]
}

/** What a ranking takes. */
interface RankingProps {
  readonly title: string
  /** The title of the column of names. */
  readonly first: string
  readonly columns: readonly string[]
  readonly rows: readonly RankedRow[]
  /** Takes the whole width. */
  readonly isBroad?: boolean
  /** What is said without rows. */
  readonly empty: string
}

/** Names with numbers, the largest first; a bar behind each name shows its share. */
export function Ranking({ title, first, columns, rows, empty, isBroad = false }: RankingProps) {
  const { format } = useServices()
  const most = Math.max(1, ...rows.map(({ amount }) => amount))
  return (
    <Panel title={title} isBroad={isBroad}>
      {rows.length === 0 ? (
        <p class="panel-empty quiet">{empty}</p>
      ) : (
        <table class="table ranking" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{first}</th>
              {columns.map((column, index) => (
                <th key={column} scope="col" class={index === 0 ? 'number' : index > 1 ? 'number wide' : 'number'}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, note, to, amount, cells }) => (
              <tr key={`${name} ${note}`}>
                <td class="ranking-name">
                  <i class="ranking-bar" style={{ width: `${(100 * amount) / most}%` }} />
                  <span class="ranking-text">
                    {to === undefined ? (
                      <span class="cut quiet">
                        <bdi>{format.visible(name)}</bdi>
                      </span>
                    ) : (
                      <Link to={to} class="cut ranking-link" title={format.visible(name)}>
                        <bdi>{format.visible(name)}</bdi>
                      </Link>
                    )}
                    {note !== undefined && (
                      <span class="cut quiet ranking-note">
                        <bdi>{format.visible(note)}</bdi>
                      </span>
                    )}
                  </span>
                </td>
                {cells.map((cell, index) => (
                  <td key={columns[index]} class={index > 1 ? 'number wide' : 'number'}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
