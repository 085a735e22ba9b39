import type { Clock, Usage } from '@stickler/core'
import { HttpError, type Price } from '@stickler/core/internal/apis'
import type { KeyLimits } from '../../config/resolved/gateway-config.ts'
import type { Amount, AmountLimits, BudgetLedger, DayState, Hold } from '../../records/store/budgets/budget-ledger.ts'
import { fits, type Refusal, refusalOf, unavailable } from './budget-refusal.ts'
import type { CostBound } from './cost-bound.ts'
import { type Amounts, amountOf, amountsOf, dayMs, holdOrReclaim, holdTimes, nanoOf, type Reservation, times } from './reservation.ts'

const againMs = 1000
/** More do not wait: their reservations count at the amount at risk, once expired. */
const mostWaiting = 10_000

/** Settles reservations, with retries where the store fails: an answer must not fail for that. */
class OpenSettlements {
  readonly #ledger: BudgetLedger
  readonly #clock: Clock
  readonly #waiting = new Map<string, Amount>()
  #cancel: (() => void) | undefined

  constructor(ledger: BudgetLedger, clock: Clock) {
    this.#ledger = ledger
    this.#clock = clock
  }

  async settle(id: string, used: Amount): Promise<void> {
    try {
      await this.#ledger.settle(id, used)
    } catch {
      if (this.#waiting.size < mostWaiting) this.#waiting.set(id, used)
      this.#wait()
    }
  }

  /** Retries once, and then leaves the rest to expire. */
  async close(): Promise<void> {
    this.#cancel?.()
    await this.#settleAll()
    this.#cancel?.()
  }

  #wait(): void {
    this.#cancel ??= this.#clock.after(againMs, () => {
      this.#cancel = undefined
      void this.#settleAll()
    })
  }

  async #settleAll(): Promise<void> {
    for (const [id, used] of this.#waiting) {
      try {
        await this.#ledger.settle(id, used)
        this.#waiting.delete(id)
      } catch {
        this.#wait()
        return
      }
    }
  }
}

const minuteMs = 60_000
const mostKeys = 10_000

interface Window {
  readonly since: number
  requests: number
}

/**
 * Counts the requests of keys in windows of a minute, on a monotonic clock, so that a changed date
 * locks out nobody.
 */
class RequestRate {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a request, or throws an HttpError that says when to retry. */
  count(key: string, perMinute: number): void {
    const now = this.#clock.now()
    let window = this.#windows.get(key)
    if (window === undefined || now - window.since >= minuteMs) {
      window = { since: now, requests: 0 }
      // Moved to the end: the longest unused comes first.
      this.#windows.delete(key)
      this.#windows.set(key, window)
      const [oldest] = this.#windows.keys()
      if (this.#windows.size > mostKeys && oldest !== undefined) this.#windows.delete(oldest)
    }
    if (++window.requests <= perMinute) return
    throw new HttpError(429, `This key may send ${perMinute} requests per minute.`, {
      type: 'rate_limit_error',
      code: 'budget_exceeded',
      headers: { 'retry-after': String(Math.ceil((window.since + minuteMs - now) / 1000)) },
    })
  }
}

/** The most that a request can use, given the assumed completion without a limit. */
export type MostAsked = (open: number) => { readonly tokens: CostBound; readonly price: Price | undefined }

/** What one call costs, in dollars. */
export interface CallCost {
  /** In any case. */
  readonly leastUsd: number
  readonly mostUsd: number
}

/** Counts what a call cost, in place of what was set aside; rejects when the store fails. */
export type SettleCall = (used: Usage) => Promise<void>

/** Tokens that an answer without a limit is assumed to have at most, unless configured. */
export const usualCompletion = 4096

/** The dependencies of budgets. */
interface BudgetPorts {
  readonly ledger: BudgetLedger
  readonly clock: Clock
  /** Milliseconds since 1970: days are those of the calendar. */
  readonly today: () => number
  readonly newId: () => string
  /** The current limits. */
  readonly limits: () => KeyLimits
  /** Milliseconds after which a request is over at the latest. */
  readonly deadlineMs: () => number
}

/**
 * Enforces the budgets of keys and the daily caps of questions: reserved before the first call, settled by actual usage,
 * shared by all gateways on the same store.
 */
export class KeyBudgets {
  readonly #with: BudgetPorts
  readonly #rate: RequestRate
  readonly #settlements: OpenSettlements

  constructor(ports: BudgetPorts) {
    this.#with = ports
    this.#rate = new RequestRate(ports.clock)
    this.#settlements = new OpenSettlements(ports.ledger, ports.clock)
  }

  /**
   * Admits a request, at once where the key has no budget, or throws an HttpError that says why
   * not.
   */
  admit(key: string, most: MostAsked): Promise<Reservation> | undefined {
    const limits = this.#with.limits()
    const { requestsPerMinute, tokensPerDay, usdPerDay } = limits
    if (requestsPerMinute !== undefined) this.#rate.count(key, requestsPerMinute)
    if (tokensPerDay === undefined && usdPerDay === undefined) return undefined
    return this.#reserve(key, limits, most)
  }

  /**
   * Sets aside what a call can cost at most, if that fits into a daily cap; a call that runs alone need only fit with its
   * least. Otherwise returns the dollars that are spent and reserved.
   */
  async holdCall(key: string, { leastUsd, mostUsd }: CallCost, capUsd: number): Promise<SettleCall | number> {
    const { ledger, newId, today, deadlineMs } = this.#with
    const cap = nanoLimit(capUsd)
    const id = newId()
    const times = holdTimes(today(), deadlineMs())
    const take = (nanoUsd: number): Promise<DayState | undefined> => {
      const most = { tokens: 0, nanoUsd }
      return this.#hold({ id, key, most, atRisk: most, ...times }, { nanoUsd: cap })
    }
    // Something must be left, also for a call that may cost nothing.
    let state = await take(Math.max(1, nanoOf(mostUsd)))
    // Alone, a call may begin with what is left if that covers what it certainly costs; nobody else may, beside it.
    const left = state === undefined || state.held.nanoUsd > 0 ? 0 : cap - state.spent.nanoUsd
    if (left > 0 && left >= nanoOf(leastUsd)) state = await take(left)
    if (state !== undefined) return (state.spent.nanoUsd + state.held.nanoUsd) / 1e9
    return ({ cost = 0 }) => ledger.settle(id, { tokens: 0, nanoUsd: nanoOf(cost) })
  }

  /** Settles what still waits for the store. */
  close(): Promise<void> {
    return this.#settlements.close()
  }

  async #reserve(key: string, limits: KeyLimits, most: MostAsked): Promise<Reservation> {
    const { tokens, price } = most(limits.completionTokens ?? usualCompletion)
    const bounds = boundsOf(limits)
    const amounts = amountsOf(tokens, price)
    const now = this.#with.today()
    const refusal: Omit<Refusal, 'state'> = { most: amounts.most, tokens, price, bounds, waitMs: dayMs - (now % dayMs) }
    if (!fits(amounts.most, bounds)) throw refusalOf({ ...refusal, state: undefined })
    const id = this.#with.newId()
    const { most: held, first } = amounts
    const hold: Hold = { id, key, most: held, atRisk: least(first, held), ...holdTimes(now, this.#with.deadlineMs()) }
    const state = await this.#hold(hold, bounds).catch((error: unknown) => {
      throw unavailable(error)
    })
    if (state !== undefined) throw refusalOf({ ...refusal, state })
    return this.#reservation(id, amounts)
  }

  async #hold(hold: Hold, bounds: AmountLimits): Promise<DayState | undefined> {
    try {
      return await holdOrReclaim(this.#with.ledger, hold, bounds)
    } catch (error) {
      // The reservation may have been made anyway.
      void this.#settlements.settle(hold.id, { tokens: 0, nanoUsd: 0 })
      throw error
    }
  }

  #reservation(id: string, { most, first, again }: Amounts): Reservation {
    let calls = 0
    let isSettled = false
    const atRisk = (): Amount => least(times(again, calls, first), most)
    return {
      again: () => {
        calls++
        void this.#with.ledger.risk(id, atRisk()).catch(() => {})
      },
      settle: async (used) => {
        if (isSettled) return
        isSettled = true
        await this.#settlements.settle(id, believed(used, atRisk()))
      },
    }
  }
}

/**
 * No call can cost that much more than calculated: such a count is a fault, and must not lock a
 * key.
 */
const absurdFactor = 1000
/** No model costs more than $10,000 for a million tokens. */
const dearestNanoUsd = 1e7

/** The cost of usage; the amount at risk when it is not reported or not plausible. */
function believed(used: Usage | undefined, atRisk: Amount): Amount {
  if (used === undefined) return atRisk
  const amount = amountOf(used)
  const mostUsd = Math.max(atRisk.nanoUsd * absurdFactor, atRisk.tokens * dearestNanoUsd)
  return amount.tokens > atRisk.tokens * absurdFactor || amount.nanoUsd > mostUsd ? atRisk : amount
}

/** What a key may spend on a day. */
export function boundsOf({ tokensPerDay, usdPerDay }: KeyLimits): AmountLimits {
  return {
    ...(tokensPerDay === undefined ? {} : { tokens: tokensPerDay }),
    ...(usdPerDay === undefined ? {} : { nanoUsd: nanoLimit(usdPerDay) }),
  }
}

function nanoLimit(usdPerDay: number): number {
  return Math.min(Math.round(usdPerDay * 1e9), Number.MAX_SAFE_INTEGER)
}

function least(a: Amount, b: Amount): Amount {
  return { tokens: Math.min(a.tokens, b.tokens), nanoUsd: Math.min(a.nanoUsd, b.nanoUsd) }
}
