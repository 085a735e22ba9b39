import { useMemo } from 'preact/hooks'
import type { Budget, GatewayState, KeyState, Overview } from '../../api/types.ts'
import { runsAddress } from '../../app/filters.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { useServices } from '../../app/services.ts'
import { useResource } from '../../app/use-resource.ts'
import { Text } from '../../components/code.tsx'
import { Link } from '../../components/link.tsx'
import { Meter } from '../../components/meter.tsx'
import { Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Empty, Failure, Skeleton } from '../../components/state.tsx'
import { StatusBar } from '../../components/status-bar.tsx'
import { type Column, Table } from '../../components/table.tsx'

const everyMs = 15_000

/** The keys: what each spent in the period, and what is left of its budgets. */
export function KeysPage() {
  const { router, now, format } = useServices()
  const { query } = router.place.value
  const { since, until } = momentsOf(readPeriod(query), now.value)
  const gateway = useResource<GatewayState>('gateway', everyMs)
  const overview = useResource<Overview>(`overview?since=${since}&until=${until}`)
  const sums = useMemo(() => new Map((overview.data?.keys ?? []).map((one) => [one.key, one])), [overview.data])
  const columns: readonly Column<KeyState>[] = [
    {
      ...{ name: 'name', title: 'Key' },
      cell: ({ name }) => (
        <Link to={runsAddress(query, { key: name })} class="strong text-link">
          <Text>{name}</Text>
        </Link>
      ),
    },
    { name: 'budgets', title: 'Budgets', cell: (key) => <Budgets of={key} /> },
    {
      ...{ name: 'rate', title: 'A minute', isNumber: true, isWide: true },
      cell: ({ requestsPerMinute }) => (requestsPerMinute === undefined ? '–' : format.number(requestsPerMinute)),
    },
    { name: 'runs', title: 'Runs', isNumber: true, cell: ({ name }) => format.number(sums.get(name)?.runs ?? 0) },
    { name: 'answers', title: 'Answers', isWide: true, cell: ({ name }) => <StatusBar counts={sums.get(name)?.statuses ?? {}} /> },
    {
      ...{ name: 'tokens', title: 'Tokens', isNumber: true, isWide: true },
      cell: ({ name }) => format.number((sums.get(name)?.promptTokens ?? 0) + (sums.get(name)?.completionTokens ?? 0)),
    },
    {
      name: 'retries',
      title: 'On retries',
      isNumber: true,
      isWide: true,
      cell: ({ name }) => format.money(sums.get(name)?.retryCost ?? 0),
    },
    { name: 'cost', title: 'Cost', isNumber: true, cell: ({ name }) => format.money(sums.get(name)?.cost ?? 0) },
  ]
  const keys = gateway.data?.keys
  return (
    <Page title="Keys" actions={<RangePicker />}>
      {gateway.error !== undefined && <Failure error={gateway.error} what="The keys" retry={gateway.reload} />}
      {keys === undefined && gateway.error === undefined && <Skeleton />}
      {keys?.length === 0 && (
        <Empty icon="keys" title="This gateway needs no keys">
          Everybody who can reach it may use it. Set <code>STICKLER_KEYS</code> to give each client a key, and <code>server.perKey</code> to
          limit what it spends.
        </Empty>
      )}
      {keys !== undefined && keys.length > 0 && (
        <section class="panel">
          <Table label="Keys" columns={columns} rows={keys} keyOf={({ name }) => name} />
        </section>
      )}
    </Page>
  )
}

function Budgets({ of: { name, budgets } }: { readonly of: KeyState }) {
  if (budgets.length === 0) return <span class="quiet">no limit</span>
  return (
    <ul class="budgets">
      {budgets.map((budget, at) => (
        <BudgetLines key={`${budget.period} ${at}`} name={name} budget={budget} />
      ))}
    </ul>
  )
}

function BudgetLines({ name, budget }: { readonly name: string; readonly budget: Budget }) {
  const { format, now } = useServices()
  const tokens = (count: number): string => `${format.number(count)} tokens`
  const lines = [
    { limit: budget.limitUsd, used: budget.usedUsd + budget.heldUsd, write: format.money },
    { limit: budget.limitTokens, used: budget.usedTokens + budget.heldTokens, write: tokens },
  ]
  const until = budget.resetsAt > now.value ? `, again in ${format.span(budget.resetsAt - now.value)}` : ''
  return (
    <>
      {lines.map(({ limit, used, write }, at) =>
        limit === undefined ? null : (
          <li key={at} title={`${write(used)} of ${write(limit)} used, of which some may be held for running requests`}>
            <Meter used={used} limit={limit} label={`Budget of ${format.visible(name)}`} />
            <span>
              {write(Math.max(0, limit - used))} left{' '}
              <span class="quiet">
                of {write(limit)} a {format.visible(budget.period)}
                {until}
              </span>
            </span>
          </li>
        ),
      )}
    </>
  )
}
