import { useMemo } from 'preact/hooks'
import type { Contract, ContractStats } from '../../api/contract-types.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { useServices } from '../../app/services.ts'
import { type Resource, useResource } from '../../app/use-resource.ts'

/** The contracts of the gateway, and what they caught in the period of the address. */
export function useContracts(): {
  readonly contracts: Resource<{ readonly items: readonly Contract[] }>
  readonly statsOf: (name: string) => ContractStats | undefined
  readonly hasStats: boolean
} {
  const { router, now } = useServices()
  const { since, until } = momentsOf(readPeriod(router.place.value.query), now.value)
  const contracts = useResource<{ readonly items: readonly Contract[] }>('contracts')
  const stats = useResource<{ readonly items: readonly ContractStats[] }>(`contracts/stats?since=${since}&until=${until}`)
  const byName = useMemo(() => new Map((stats.data?.items ?? []).map((one) => [one.contract, one])), [stats.data])
  return { contracts, statsOf: (name) => byName.get(name), hasStats: stats.data !== undefined }
}

/** How many runs of a contract broke a rule. */
export function caughtBy(stats: ContractStats | undefined): number {
  return (stats?.rules ?? []).reduce((sum, { runs }) => sum + runs, 0)
}
