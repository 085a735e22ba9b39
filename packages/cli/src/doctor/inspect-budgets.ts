import { type GatewayConfig, type SmallBudget, smallBudgets, targetPrices } from '@stickler/gateway'
import { count } from '../terminal/count.ts'
import { type DoctorFinding, doubtful } from './finding.ts'

/** Finds key budgets that reject every request or count nothing. */
export function inspectBudgets(config: GatewayConfig): DoctorFinding[] {
  return [...smallBudgets(config).map(describeSmall), ...inspectPrices(config)]
}

function describeSmall({ route, retries, completionTokens, needed, budget, onlyStreamed }: SmallBudget): DoctorFinding {
  const request = `${onlyStreamed ? 'streamed ' : ''}requests to ${route} without a completion limit`
  return doubtful(
    'budget',
    `${budget} a day never cover ${request}: even with an empty prompt they reserve ${needed} (${count(completionTokens, 'completion token')}, ${retries === 1 ? '1 retry' : `${retries} retries`})`,
    'raise the budget, or lower server.perKey.completionTokens or the retries of the contract',
  )
}

/** Without a price, calls count as free. */
function inspectPrices(config: GatewayConfig): DoctorFinding[] {
  if (config.server.perKey.usdPerDay === undefined) return []
  const asked = config.ask?.upstreams.map((upstream) => ({ upstream })) ?? []
  const free = [...config.routes.flatMap(({ targets }) => targets), ...asked].filter((target) =>
    targetPrices(target, config).includes(undefined),
  )
  return [...new Set(free.map(({ upstream }) => upstream))].map((name) =>
    doubtful('budget', `calls of upstream ${name} count as free for usdPerDay: it has no price`, 'set its `price`'),
  )
}
