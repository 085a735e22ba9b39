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
interface Spent {
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

/** What runs that share one budget have spent together, such as the choices of one request; their first attempts are one call. */
export class Tally {
  /** Calls that were made or are sure to be made. */
  #calls = 1
  #total: Usage = noUsage
  #last: Usage | undefined
  /** What calls that are under way are taken to cost. */
  #expected: Map<object, Usage> | undefined
  /** What each run was last refused for. */
  #rejected: Map<object, string> | undefined

  /** Why the budget allows no further call. */
  stopReason(budget: Policy['budget']): StopReason | undefined {
    const { attempts, tokens, money } = budget
    return attempts === undefined && tokens === undefined && money === undefined ? undefined : overBudget(budget, this.#spent())
  }

  /** Deducts the next call of a run from the budget when it is decided on: other runs decide meanwhile. */
  claim(run: object): void {
    this.#calls++
    if (this.#last === undefined) return
    this.#expected ??= new Map()
    this.#expected.set(run, this.#last)
  }

  /** Counts what a call of a run cost. */
  spend(run: object, usage: Usage): void {
    this.#expected?.delete(run)
    this.#total = addUsage(this.#total, usage)
    // The share of a call that another run pays for does not predict the next one.
    if (usage.promptTokens + usage.completionTokens > 0) this.#last = usage
  }

  /** Notes the answer that a run was refused for. */
  reject(run: object, fingerprint: string): void {
    this.#rejected ??= new Map()
    this.#rejected.set(run, fingerprint)
  }

  /** Whether this is what the run itself, or another one before it, was refused for. */
  wasRejected(fingerprint: string): boolean {
    for (const rejected of this.#rejected?.values() ?? []) if (rejected === fingerprint) return true
    return false
  }

  #spent(): Spent {
    let total = this.#total
    for (const expected of this.#expected?.values() ?? []) total = addUsage(total, expected)
    return { attempts: this.#calls, total, last: this.#last }
  }
}
