import { HttpError, type Price } from '@stickler/core/internal/apis'
import type { Amount, AmountLimits, DayState } from '../../records/store/budgets/budget-ledger.ts'
import { StoreUnavailable, storeName } from '../../records/store/store-unavailable.ts'
import type { CostBound } from './cost-bound.ts'
import { amountsOf } from './reservation.ts'

/** Why a request is rejected. */
export interface Refusal {
  /** Its maximum cost. */
  readonly most: Amount
  readonly bounds: AmountLimits
  /** The parts of that cost. */
  readonly tokens: CostBound
  readonly price: Price | undefined
  /** Until the next day begins. */
  readonly waitMs: number
  /** The state of the day; absent when the request fits into no day. */
  readonly state: DayState | undefined
}

/** The error of a request that its key's budget does not cover. */
export function refusalOf(refusal: Refusal): HttpError {
  const { most, tokens, bounds, waitMs, state } = refusal
  const part = exceededPart(refusal)
  const limit = bounds[part] ?? 0
  const spent = state?.spent[part] ?? 0
  const limitText = `${shown(limit, part)} a day`
  const retries = tokens.retries === 0 ? '' : ` with its ${tokens.retries === 1 ? 'retry' : `${tokens.retries} retries`}`
  const need = `This request can use up to ${shown(most[part], part)}${retries}`
  if (state === undefined)
    return tooMuch('insufficient_quota', `${need}, and this key has ${limitText}: it can never fit. ${adviceFor(refusal, part)}`)
  if (spent >= limit) return tooMuch('budget_exceeded', `This key has used up its ${shown(limit, part)} for today.`, waitMs)
  if (spent + most[part] > limit)
    return tooMuch(
      'budget_exceeded',
      `${need}, and ${shown(limit - spent, part)} of this key's ${limitText} are left. ${adviceFor(refusal, part)}`,
      waitMs,
    )
  // Unused reservations of others are released later.
  return new HttpError(429, `${need}, and what is left of this key's ${limitText} is reserved for running requests.`, {
    type: 'rate_limit_error',
    code: 'budget_reserved',
    headers: { 'retry-after': '1' },
  })
}

/** The error when the budget cannot be read: a key with a budget is then rejected. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error
  return new HttpError(503, `${storeName(error)} does not answer, so the budget of this key cannot be checked; try again in a moment.`, {
    code: 'budget_unavailable',
    headers: { 'retry-after': '2' },
  })
}

/** What the client can change so that the request fits. */
function adviceFor({ tokens, price, bounds, state }: Refusal, part: keyof Amount): string {
  const left = leftOf(bounds, state)
  const { limit, to } = tokens.shrinks
  const fitting = limit === undefined ? 0 : fittingLimit(tokens, price, left)
  if (fitting > 0) return `It fits with a max_tokens of at most ${fitting}.`
  const least = (prompt: 'same' | 'empty'): Amount => amountsOf(to(1, prompt), price).most
  if (fits(least('empty'), left)) {
    if (limit === undefined) return 'Send a shorter request.'
    return `Send a shorter prompt: with max_tokens 1 this one still needs ${shown(least('same')[part], part)}.`
  }
  const when = state === undefined ? 'the operator of the gateway must raise the budget' : 'wait until tomorrow'
  return `The shortest request needs ${shown(least('empty')[part], part)}: ${when}.`
}

function leftOf({ tokens, nanoUsd }: AmountLimits, state: DayState | undefined): AmountLimits {
  return {
    ...(tokens === undefined ? {} : { tokens: tokens - (state?.spent.tokens ?? 0) }),
    ...(nanoUsd === undefined ? {} : { nanoUsd: nanoUsd - (state?.spent.nanoUsd ?? 0) }),
  }
}

function exceededPart({ most, bounds, state }: Refusal): keyof Amount {
  const { tokens } = bounds
  if (tokens === undefined) return 'nanoUsd'
  const before = (state?.spent.tokens ?? 0) + (state?.held.tokens ?? 0)
  return before + most.tokens > tokens || bounds.nanoUsd === undefined ? 'tokens' : 'nanoUsd'
}

/** Formats an amount. */
export function shown(amount: number, part: keyof Amount): string {
  return part === 'tokens' ? `${amount} tokens` : `$${Number((amount / 1e9).toPrecision(6))}`
}

/** A request that will never fit has no `waitMs`. */
function tooMuch(code: string, message: string, waitMs?: number): HttpError {
  const wait = waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)) }
  const headers = { ...wait, 'x-should-retry': 'false' }
  return new HttpError(429, message, { type: 'rate_limit_error', code, headers })
}

/** Whether an amount is within bounds. */
export function fits({ tokens, nanoUsd }: Amount, bounds: AmountLimits): boolean {
  return tokens <= (bounds.tokens ?? tokens) && nanoUsd <= (bounds.nanoUsd ?? nanoUsd)
}

/** The largest completion limit, up to its own, with which a request is within bounds; 0 when there is none. */
function fittingLimit({ shrinks }: CostBound, price: Price | undefined, bounds: AmountLimits): number {
  let fitting = 0
  let tooLarge = (shrinks.limit ?? 0) + 1
  // A larger limit never needs less.
  while (tooLarge - fitting > 1) {
    const middle = Math.floor((fitting + tooLarge) / 2)
    if (fits(amountsOf(shrinks.to(middle, 'same'), price).most, bounds)) fitting = middle
    else tooLarge = middle
  }
  return fitting
}
