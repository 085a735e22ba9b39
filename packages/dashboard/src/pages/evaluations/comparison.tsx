import type { Flip, StatusCounts } from '../../api/evaluation-types.ts'
import { statuses } from '../../api/types.ts'
import { useServices } from '../../app/services.ts'
import { Text } from '../../components/code.tsx'
import { Panel } from '../../components/page.tsx'
import { Pill } from '../../components/pill.tsx'
import { Table } from '../../components/table.tsx'

/** Answers by their status before, in rows, and after, in columns. */
export function Matrix({ matrix }: { readonly matrix: Readonly<Record<string, StatusCounts>> }) {
  const { format } = useServices()
  const names = statuses.filter((status) => Object.hasOwn(matrix, status))
  return (
    <Panel title="Before and after" note="rows before, columns after">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="table-scroll" aria-label="Before and after" tabIndex={0}>
        <table class="table matrix" aria-label="Before and after">
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">Before</span>
              </th>
              {names.map((name) => (
                <th key={name} scope="col" class="number">
                  <Pill status={name} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((before) => (
              <tr key={before}>
                <th scope="row">
                  <Pill status={before} />
                </th>
                {names.map((after) => {
                  const count = matrix[before]?.[after] ?? 0
                  return (
                    <td key={after} class={`number ${before === after ? 'diagonal' : count > 0 ? 'strong' : 'quiet'}`}>
                      {format.number(count)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  )
}

const most = 100

/** The answers whose verdict changed, by rule. */
export function Flips({ flips, hasComparison }: { readonly flips: readonly Flip[]; readonly hasComparison: boolean }) {
  const { format } = useServices()
  if (!hasComparison) return null
  return (
    <Panel title="Changed verdicts" note={flips.length > most ? `the first ${most} of ${flips.length}` : undefined}>
      {flips.length === 0 ? (
        <p class="panel-empty quiet">No verdict changed.</p>
      ) : (
        <Table
          label="Changed verdicts"
          rows={flips.slice(0, most)}
          keyOf={({ from, to, rule }) => `${from} ${to} ${rule}`}
          columns={[
            {
              ...{ name: 'change', title: 'Change' },
              cell: ({ from, to }) => (
                <span class="finding-head">
                  <Pill status={from} /> → <Pill status={to} />
                </span>
              ),
            },
            {
              name: 'rule',
              title: 'Rule',
              cell: ({ rule }) => (
                <code>
                  <Text>{rule || '–'}</Text>
                </code>
              ),
            },
            { name: 'answers', title: 'Answers', isNumber: true, cell: ({ answers }) => format.number(answers) },
            {
              ...{ name: 'examples', title: 'Examples', isWide: true },
              cell: ({ examples = [] }) => (
                <span class="quiet">
                  <Text>{examples.slice(0, 3).join(', ')}</Text>
                </span>
              ),
            },
          ]}
        />
      )}
    </Panel>
  )
}
