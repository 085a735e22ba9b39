import type { Contract, ContractStats } from '../../api/contract-types.ts'
import { runsAddress } from '../../app/filters.ts'
import { useServices } from '../../app/services.ts'
import { Code, Text } from '../../components/code.tsx'
import { type Fact, Facts } from '../../components/facts.tsx'
import { Link } from '../../components/link.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { Tag } from '../../components/pill.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Empty, Failure, Skeleton } from '../../components/state.tsx'
import { Table } from '../../components/table.tsx'
import { Rules } from './rules.tsx'
import { Try } from './try.tsx'
import { useContracts } from './use-contracts.ts'

/** One contract: its rules in words, what they caught, and a place to try changes. */
export function ContractPage({ name }: { readonly name: string }) {
  const { router } = useServices()
  const { contracts, statsOf, hasStats } = useContracts()
  const found = contracts.data?.items.find((one) => one.name === name)
  return (
    <Page
      title={name}
      beside={<span class="quiet">contract</span>}
      actions={
        <>
          <Link to={runsAddress(router.place.value.query, { contract: name })} class="button">
            Its runs
          </Link>
          <RangePicker />
        </>
      }
    >
      {contracts.error !== undefined && <Failure error={contracts.error} what="The contract" retry={contracts.reload} />}
      {contracts.data === undefined && contracts.error === undefined && <Skeleton rows={3} tall />}
      {contracts.data !== undefined && found === undefined && (
        <Empty icon="contracts" title="There is no such contract">
          It may have been renamed or removed in the configuration; its runs are still listed.
        </Empty>
      )}
      {found !== undefined && (
        <Content
          contract={found}
          stats={hasStats ? (statsOf(name) ?? { contract: name, totals: { runs: 0 }, rules: [], repairs: [] }) : undefined}
        />
      )}
    </Page>
  )
}

function Content({ contract, stats }: { readonly contract: Contract; readonly stats: ContractStats | undefined }) {
  const { instructions = '', policy } = contract
  return (
    <div class="contract">
      <Facts facts={policyFacts(contract.policy)} />
      <Rules contract={contract} stats={stats} />
      <Repairs contract={contract} stats={stats} />
      <Try contract={contract} />
      {instructions !== '' && (
        <Panel
          title="Instructions"
          note={policy.instruct === true ? 'what the model is told up front' : 'what the model would be told with instruct: true'}
        >
          <div class="panel-body">
            <Code text={instructions} label="Instructions" />
          </div>
        </Panel>
      )}
    </div>
  )
}

/** The policy as written, without what is empty. */
function policyFacts(policy: Contract['policy']): readonly Fact[] {
  return Object.entries(policy)
    .map(([name, value]): Fact => {
      const text = Array.isArray(value)
        ? value.join(', ')
        : value !== null && typeof value === 'object'
          ? JSON.stringify(value)
          : String(value ?? '')
      return [wordsOf(name), text === '' || text === '{}' ? undefined : <Text key={name}>{text}</Text>]
    })
    .slice(0, 24)
}

/** `timeoutMs` as "Timeout ms". */
function wordsOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

const tones = { lossless: 'valid', lossy: 'unchecked', guess: 'unresolved' } as const

function Repairs({ contract, stats }: { readonly contract: Contract; readonly stats: ContractStats | undefined }) {
  const { router, format } = useServices()
  if (stats === undefined || stats.repairs.length === 0) return null
  return (
    <Panel title="Repairs" note="in this period">
      <Table
        label="Repairs"
        rows={stats.repairs}
        keyOf={({ rule, class: kind }) => `${rule} ${kind}`}
        columns={[
          {
            ...{ name: 'rule', title: 'Rule' },
            cell: ({ rule }) => (
              <Link to={runsAddress(router.place.value.query, { contract: contract.name, rule })} class="text-link">
                <code>
                  <Text>{rule}</Text>
                </code>
              </Link>
            ),
          },
          {
            ...{ name: 'class', title: 'Class' },
            cell: ({ class: kind }) => <Tag tone={Object.hasOwn(tones, kind) ? tones[kind as keyof typeof tones] : ''}>{kind}</Tag>,
          },
          { name: 'runs', title: 'Runs', isNumber: true, cell: ({ runs }) => format.number(runs) },
          { name: 'count', title: 'Changes', isNumber: true, cell: ({ count }) => format.number(count) },
        ]}
      />
    </Panel>
  )
}
