import type { Policy } from '../../contract/policy.ts'
import type { Usage } from '../runner.ts'
import { addUsage, noUsage, overBudget, type Spent } from './budget.ts'
import type { StopReason } from './decide.ts'

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
