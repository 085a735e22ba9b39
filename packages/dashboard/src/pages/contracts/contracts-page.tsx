import type { Contract } from '../../api/contract-types.ts'
import { runsAddress } from '../../app/filters.ts'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { Text } from '../../components/code.tsx'
import { Link } from '../../components/link.tsx'
import { Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Empty, Failure, Skeleton } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { caughtBy, useContracts } from './use-contracts.ts'

/** The contracts, and what each of them caught. */
export function ContractsPage() {
  const { router, format } = useServices()
  const { contracts, statsOf, hasStats } = useContracts()
  const { query } = router.place.value
  const count = (value: number | undefined) => (hasStats ? format.number(value ?? 0) : '–')
  const columns: readonly Column<Contract>[] = [
    { name: 'name', title: 'Contract', cell: ({ name }) => <ContractName name={name} /> },
    { name: 'rules', title: 'Rules', isWide: true, cell: ({ validators }) => <RuleNames names={validators.map(({ name }) => name)} /> },
    { name: 'mode', title: 'Mode', isWide: true, cell: ({ policy }) => <Text>{String(policy.mode ?? 'strict')}</Text> },
    {
      ...{ name: 'runs', title: 'Runs', isNumber: true },
      cell: ({ name }) => (
        <Link to={runsAddress(query, { contract: name })} class="text-link">
          {count(statsOf(name)?.totals.runs)}
        </Link>
      ),
    },
    { name: 'caught', title: 'Caught', isNumber: true, cell: ({ name }) => count(caughtBy(statsOf(name))) },
    {
      ...{ name: 'repairs', title: 'Repairs', isNumber: true },
      cell: ({ name }) => count(statsOf(name)?.repairs.reduce((sum, one) => sum + one.count, 0)),
    },
    {
      ...{ name: 'labelled', title: 'Labelled', isNumber: true, isWide: true },
      cell: ({ name }) => count((statsOf(name)?.labelled?.good ?? 0) + (statsOf(name)?.labelled?.bad ?? 0)),
    },
  ]
  const items = contracts.data?.items
  return (
    <Page title="Contracts" actions={<RangePicker />}>
      {contracts.error !== undefined && <Failure error={contracts.error} what="The contracts" retry={contracts.reload} />}
      {items === undefined && contracts.error === undefined && <Skeleton />}
      {items?.length === 0 && (
        <Empty icon="contracts" title="No contracts yet">
          A contract in <code>contracts</code> of the configuration, named by a route, appears here with what it catches.
        </Empty>
      )}
      {items !== undefined && items.length > 0 && (
        <section class="panel">
          <Table label="Contracts" columns={columns} rows={items} keyOf={({ name }) => name} />
        </section>
      )}
    </Page>
  )
}

function ContractName({ name }: { readonly name: string }) {
  return (
    <Link to={pathOf('contracts', name)} class="strong text-link">
      <Text>{name}</Text>
    </Link>
  )
}

const mostNamed = 4

function RuleNames({ names }: { readonly names: readonly string[] }) {
  const rest = names.length - mostNamed
  return (
    <span class="quiet">
      <Text>{names.slice(0, mostNamed).join(', ')}</Text>
      {rest > 0 && ` and ${rest} more`}
    </span>
  )
}
