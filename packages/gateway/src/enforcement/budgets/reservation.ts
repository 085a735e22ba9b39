import type { Usage } from '@stickler/core'
import type { Price } from '@stickler/core/runners'
import type { Amount } from '../../records/store/budgets/budget-ledger.ts'
import { priced } from './bill.ts'
import type { CallTokens, MostTokens } from './most-cost.ts'

/** What is set aside for one request of a key with a budget. */
export interface Reservation {
  /** Notes that the model is asked again. */
  again(): void
  /** Counts what was used, once; what was at risk when nobody can tell. */
  settle(used: Usage | undefined): Promise<void>
}

/** The amounts of a request. */
export interface Amounts {
  /** All that it can cost. */
  readonly most: Amount
  /** What its first call can cost, and each further one. */
  readonly first: Amount
  readonly again: Amount
}

/** What a request can cost at most, by the price of the dearest upstream that may answer. */
export function amountsOf(tokens: MostTokens, price: Price | undefined): Amounts {
  const first = amountOfCall(tokens.first, price)
  const again = amountOfCall(tokens.again, price)
  const all = times(again, tokens.retries, first)
  // Beyond its budget of tokens a run makes no further call, but finishes the one it has begun.
  const share = tokens.stopsAt === undefined ? 1 : Math.min(1, Math.max(first.tokens, tokens.stopsAt + again.tokens) / all.tokens)
  return { most: { tokens: Math.ceil(all.tokens * share), nanoUsd: Math.ceil(all.nanoUsd * share) }, first, again }
}

/** An amount and so many more. */
export function times(each: Amount, count: number, base: Amount): Amount {
  return { tokens: base.tokens + each.tokens * count, nanoUsd: base.nanoUsd + each.nanoUsd * count }
}

/** What usage comes to. */
export function amountOf({ promptTokens, completionTokens, cost = 0 }: Usage): Amount {
  return { tokens: sound(promptTokens + completionTokens), nanoUsd: sound(cost * 1e9) }
}

function amountOfCall({ prompt, completion }: CallTokens, price: Price | undefined): Amount {
  return amountOf(priced({ promptTokens: prompt, completionTokens: completion }, price))
}

/** What a provider counts wrongly must not open a budget. */
function sound(value: number): number {
  return value > 0 ? Math.min(Math.round(value), 2 ** 50) : 0
}
