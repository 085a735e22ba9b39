import type { Policy } from '../../contract/policy.ts'
import type { Usage } from '../runner.ts'
import type { StopReason } from './decide.ts'

/** Nothing used yet. */
export const noUsage: Usage = { promptTokens: 0, completionTokens: 0 }

/** Adds up the cost of calls, as far as it is reported. */
export function addUsage(a: Usage, b: Usage | null | undefined): Usage {
  // Runners come from outside, and some say null.
  if (b === undefined || b === null) return a
  const promptTokens = a.promptTokens + amount(b.promptTokens)
  const completionTokens = a.completionTokens + amount(b.completionTokens)
  const sum: { -readonly [Part in keyof Usage]: Usage[Part] } = { promptTokens, completionTokens }
  if (a.cost !== undefined || b.cost !== undefined) sum.cost = (a.cost ?? 0) + amount(b.cost)
  if (a.estimated === true || b.estimated === true) sum.estimated = true
  return sum
}

/** What a provider counts wrongly must not open the budget. */
function amount(told: number | undefined): number {
  return typeof told === 'number' && Number.isFinite(told) && told > 0 ? told : 0
}

/** What a run has spent so far. */
export interface Spent {
  readonly attempts: number
  readonly total: Usage
  /** What the last attempt cost: the next one is taken to cost as much. */
  readonly last: Usage | undefined
}

/** Why the budget allows no further attempt; reaching a limit exactly is allowed. */
export function overBudget(budget: Policy['budget'], { attempts, total, last }: Spent): StopReason | undefined {
  if (budget.attempts !== undefined && attempts >= budget.attempts) return 'budget-attempts'
  if (budget.tokens === undefined && budget.money === undefined) return undefined
  const next = addUsage(total, last)
  if (budget.tokens !== undefined && next.promptTokens + next.completionTokens > budget.tokens) return 'budget-tokens'
  if (budget.money !== undefined && (next.cost ?? 0) > budget.money) return 'budget-money'
  return undefined
}
