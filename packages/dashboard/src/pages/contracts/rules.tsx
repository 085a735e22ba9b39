import type { Contract, ContractStats, Rule, RuleStats } from '../../api/contract-types.ts'
import { runsAddress } from '../../app/filters.ts'
import { useServices } from '../../app/services.ts'
import { Text } from '../../components/code.tsx'
import { Link } from '../../components/link.tsx'
import { Panel } from '../../components/page.tsx'
import { Tag } from '../../components/pill.tsx'

/** The rules of a contract in words, with their options and what each code caught. */
export function Rules({ contract, stats }: { readonly contract: Contract; readonly stats: ContractStats | undefined }) {
  const { format } = useServices()
  return (
    <Panel
      title="Rules"
      note={
        stats === undefined
          ? undefined
          : `${format.number(stats.totals.runs)} ${stats.totals.runs === 1 ? 'run' : 'runs'} in this period${labelledNote(stats, format.number)}`
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="table-scroll" aria-label="Rules of the contract" tabIndex={0}>
        <table class="table rules" aria-label="Rules">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col" class="number">
                Caught
              </th>
              <th scope="col" class="number wide">
                Fixed
              </th>
              <th scope="col" class="number wide">
                Retries
              </th>
              <th scope="col" class="number">
                False alarms
              </th>
            </tr>
          </thead>
          {contract.validators.map((rule, at) => (
            <RuleRows
              key={`${rule.name} ${at}`}
              contract={contract.name}
              rule={rule}
              stats={stats?.rules.filter(({ validator }) => validator === rule.name)}
            />
          ))}
        </table>
      </section>
    </Panel>
  )
}

function labelledNote({ labelled }: ContractStats, write: (count: number) => string): string {
  if (labelled === undefined || labelled.good + labelled.bad === 0) return ', none labelled'
  return `, labelled: ${write(labelled.good)} good, ${write(labelled.bad)} bad`
}

interface RuleRowsProps {
  readonly contract: string
  readonly rule: Rule
  readonly stats: readonly RuleStats[] | undefined
}

function RuleRows({ contract, rule, stats }: RuleRowsProps) {
  const { router, format } = useServices()
  const { query } = router.place.value
  const options = optionsOf(rule.options)
  return (
    <tbody>
      <tr class="rule">
        <th scope="rowgroup" colSpan={5}>
          <span class="finding-head">
            <code class="strong">
              <Text>{rule.name}</Text>
            </code>
            {rule.severity !== undefined && <Tag>only warns</Tag>}
            {rule.repairs && <Tag>can repair</Tag>}
            {rule.incremental && <Tag>checks while streaming</Tag>}
          </span>
          <span>
            <Text>{rule.instruction || rule.summary}</Text>
          </span>
          {rule.instruction && (
            <span class="quiet">
              <Text>{rule.summary}</Text>
            </span>
          )}
          {rule.when !== undefined && (
            <span class="quiet">
              <Text>{`Only when ${JSON.stringify(rule.when)}`}</Text>
            </span>
          )}
          {options.length > 0 && (
            <span class="rule-options">
              {options.map(([name, value]) => (
                <code key={name} title={format.visible(value)}>
                  <Text>{`${name}: ${value.length > 120 ? `${value.slice(0, 120)}…` : value}`}</Text>
                </code>
              ))}
            </span>
          )}
        </th>
      </tr>
      {stats?.map((one) => (
        <tr key={one.code}>
          <td>
            <Link to={runsAddress(query, { contract, validator: rule.name, code: one.code })} class="text-link">
              <code>
                <Text>{one.code}</Text>
              </code>
            </Link>
          </td>
          <td class="number">{format.number(one.runs)}</td>
          <td class="number wide">{one.fixed === undefined ? '–' : format.number(one.fixed)}</td>
          <td class="number wide">{one.retries === undefined ? '–' : format.number(one.retries)}</td>
          <td class="number">{falseAlarms(one, format.share)}</td>
        </tr>
      ))}
    </tbody>
  )
}

/** Labelled runs in which the rule was broken although the answer is good. */
function falseAlarms({ labelled }: RuleStats, share: (part: number, whole: number) => string): string {
  const all = labelled === undefined ? 0 : labelled.good + labelled.bad
  return labelled === undefined || all === 0 ? 'not labelled' : `${share(labelled.good, all)} (${labelled.good} of ${all})`
}

function optionsOf(options: unknown): readonly (readonly [string, string])[] {
  if (options === null || typeof options !== 'object') return []
  return Object.entries(options)
    .map(([name, value]) => [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')] as const)
    .filter(([, value]) => value !== '' && value !== '{}' && value !== '[]')
    .slice(0, 20)
}
