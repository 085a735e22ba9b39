import type { Usage } from '@stickler/core'
import { HttpError } from '../http/http-error.ts'
import type { SpendLedger } from '../store/ask/spend.ts'

/** What one API key may use; nothing is limited where nothing is said. */
export interface KeyLimits {
  readonly requestsPerMinute?: number
  /** Prompt and completion together, per UTC day. */
  readonly tokensPerDay?: number
  /** Dollars per UTC day. */
  readonly usdPerDay?: number
}

interface KeyUse {
  minute: number
  requests: number
  day: number
  tokens: number
  usd: number
  /** When the ledger was read last. */
  readAt: number
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** Other gateways spend from the same budget, so what is known of it grows old. */
const freshMs = 5000
const mostKeys = 10_000

/** Counts what keys use, together with the other gateways on the same store, and refuses what goes beyond their limits. */
export class KeyBudgets {
  readonly #ledger: SpendLedger
  readonly #today: () => number
  readonly #limits: () => KeyLimits
  readonly #uses = new Map<string, KeyUse>()

  constructor(ledger: SpendLedger, limits: () => KeyLimits, today: () => number) {
    this.#ledger = ledger
    this.#limits = limits
    this.#today = today
  }

  /** Lets a request in, at once where nothing is limited, or throws an HttpError that says when to come back. */
  admit(key: string): Promise<void> | undefined {
    const limits = this.#limits()
    const { requestsPerMinute, tokensPerDay, usdPerDay } = limits
    if (requestsPerMinute === undefined && tokensPerDay === undefined && usdPerDay === undefined) return undefined
    return this.#admit(key, limits)
  }

  /** Counts what a run of the key used. */
  spend(key: string, { promptTokens, completionTokens, cost = 0 }: Usage): void {
    const { tokensPerDay, usdPerDay } = this.#limits()
    if (tokensPerDay === undefined && usdPerDay === undefined) return
    const now = this.#today()
    const use = this.#useOf(key, now)
    const tokens = promptTokens + completionTokens
    use.tokens += tokens
    use.usd += cost
    const day = Math.floor(now / dayMs)
    // A ledger that cannot be reached must not fail an answer; this process still counts.
    if (tokens > 0) void this.#ledger.add(`tokens ${key}`, tokens, day).catch(() => {})
    if (cost > 0) void this.#ledger.add(`usd ${key}`, cost, day).catch(() => {})
  }

  async #admit(key: string, { requestsPerMinute, tokensPerDay, usdPerDay }: KeyLimits): Promise<void> {
    const now = this.#today()
    const use = this.#useOf(key, now)
    if (requestsPerMinute !== undefined && ++use.requests > requestsPerMinute)
      throw spent(`This key may send ${requestsPerMinute} requests per minute.`, minuteMs - (now % minuteMs))
    if (tokensPerDay === undefined && usdPerDay === undefined) return
    if (now - use.readAt > freshMs) await this.#refresh(key, use, now)
    if (tokensPerDay !== undefined && use.tokens >= tokensPerDay)
      throw spent(`This key has used its ${tokensPerDay} tokens of today.`, dayMs - (now % dayMs))
    if (usdPerDay !== undefined && use.usd >= usdPerDay) throw spent(`This key has used its $${usdPerDay} of today.`, dayMs - (now % dayMs))
  }

  #useOf(key: string, now: number): KeyUse {
    const minute = Math.floor(now / minuteMs)
    const day = Math.floor(now / dayMs)
    const use = this.#uses.get(key) ?? { minute, requests: 0, day, tokens: 0, usd: 0, readAt: Number.NEGATIVE_INFINITY }
    this.#uses.set(key, use)
    // A clock that goes back never gives anything back.
    if (minute > use.minute) Object.assign(use, { minute, requests: 0 })
    if (day > use.day) Object.assign(use, { day, tokens: 0, usd: 0, readAt: Number.NEGATIVE_INFINITY })
    const [oldest] = this.#uses.keys()
    if (this.#uses.size > mostKeys && oldest !== undefined) this.#uses.delete(oldest)
    return use
  }

  async #refresh(key: string, use: KeyUse, now: number): Promise<void> {
    use.readAt = now
    try {
      const [tokens, usd] = await Promise.all([this.#ledger.read(`tokens ${key}`), this.#ledger.read(`usd ${key}`)])
      if (tokens.day === use.day) use.tokens = Math.max(use.tokens, tokens.spentUsd)
      if (usd.day === use.day) use.usd = Math.max(use.usd, usd.spentUsd)
    } catch {
      // What this process has counted still holds.
    }
  }
}

function spent(message: string, waitMs: number): HttpError {
  return new HttpError(429, message, {
    type: 'rate_limit_error',
    code: 'budget_exceeded',
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  })
}
