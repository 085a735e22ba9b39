import type { Usage } from '@stickler/core'
import { priced } from '@stickler/core/internal'
import type { Price } from '@stickler/core/internal/apis'
import type { Amount, AmountLimits, BudgetLedger, DayState, Hold } from '../../records/store/budgets/budget-ledger.ts'
import type { CallTokens, CostBound } from './cost-bound.ts'

/** The reservation for one request of a key with a budget. */
export interface Reservation {
  /** Notes a retry. */
  again(): void
  /** Records usage, once; the amount at risk when it is unknown. */
  settle(used: Usage | undefined): Promise<void>
}

/** The amounts of a request. */
export interface Amounts {
  /** Its maximum cost. */
  readonly most: Amount
  /** The maximum cost of its first call, and of each retry. */
  readonly first: Amount
  readonly again: Amount
}

/** The maximum cost of a request, by the price of the most expensive upstream that may answer. */
export function amountsOf(tokens: CostBound, price: Price | undefined): Amounts {
  const first = amountOfCall(tokens.first, price)
  const again = amountOfCall(tokens.again, price)
  const all = times(again, tokens.retries, first)
  // Beyond its token budget a run starts no further call, but finishes the current one.
  const share = tokens.stopsAt === undefined ? 1 : Math.min(1, Math.max(first.tokens, tokens.stopsAt + again.tokens) / all.tokens)
  return { most: { tokens: Math.ceil(all.tokens * share), nanoUsd: Math.ceil(all.nanoUsd * share) }, first, again }
}

/** Milliseconds of a day. */
export const dayMs = 86_400_000
/** What is finished settles within this, or its gateway has died. */
const graceMs = 5000

/** The times of a reservation made now. */
export function holdTimes(now: number, deadlineMs: number): Pick<Hold, 'day' | 'madeAt' | 'expiresAt'> {
  return { day: Math.floor(now / dayMs), madeAt: now, expiresAt: now + deadlineMs + graceMs }
}

/** Reserves an amount if it fits, or returns the usage of the day; before a rejection, reservations of dead gateways are released. */
export async function holdOrReclaim(ledger: BudgetLedger, hold: Hold, limits: AmountLimits): Promise<DayState | undefined> {
  const state = await ledger.hold(hold, limits)
  if (state === undefined || state.held.tokens + state.held.nanoUsd === 0) return state
  return (await ledger.reclaim(hold.key, hold.madeAt)) ? ledger.hold(hold, limits) : state
}

/** An amount and so many more. */
export function times(each: Amount, count: number, base: Amount): Amount {
  return { tokens: base.tokens + each.tokens * count, nanoUsd: base.nanoUsd + each.nanoUsd * count }
}

/** What usage comes to. */
export function amountOf({ promptTokens, completionTokens, cost = 0 }: Usage): Amount {
  return { tokens: sound(promptTokens + completionTokens), nanoUsd: nanoOf(cost) }
}

/** Billionths of these dollars. */
export function nanoOf(usd: number): number {
  return sound(usd * 1e9)
}

function amountOfCall({ prompt, completion }: CallTokens, price: Price | undefined): Amount {
  return amountOf(priced({ promptTokens: prompt, completionTokens: completion }, price))
}

/** A provider's miscount must not open a budget. */
function sound(value: number): number {
  return value > 0 ? Math.min(Math.round(value), 2 ** 50) : 0
}
