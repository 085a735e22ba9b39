import type { Usage } from '@stickler/core'
import { priced, waitAtMost } from '@stickler/core/internal'
import { type CostVerdict, freshDay, guardCost } from '@stickler/presets/internal'
import type { AskProvider, CallCost, SharedLedger, SpendHold } from '../ports.ts'
import type { Question } from '../question/question.ts'
import type { AskDependencies } from '../settings.ts'
import { type SeenCall, SeenCosts } from './seen-costs.ts'

/** Tokens of one call. */
export interface CallTokens {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** The estimate of tokens may be well above the provider's own figure, which counts in the end. */
const estimateMargin = 2

/** What cost tracking needs. */
export type SpendPorts = Pick<AskDependencies, 'clock' | 'ledger' | 'today'>

/** By ledger: a service may be opened anew for each question. */
const seenCosts = new WeakMap<SharedLedger, SeenCosts>()

/** The tenant and budget of calls. */
export interface Spender extends Pick<Question, 'limits' | 'sourcesBytes' | 'elapsed'> {
  readonly request: Pick<Question['request'], 'tenant'>
}

/** Checks and counts what the calls for one question use. */
export class SpendGuard {
  readonly #question: Spender
  readonly #price: AskProvider['price']
  readonly #model: string
  readonly #with: SpendPorts
  readonly #tenant: string
  #held: SpendHold | undefined
  #seen: SeenCall | undefined

  constructor(question: Spender, { name, alias = name, model, price }: AskProvider, dependencies: SpendPorts) {
    this.#question = question
    this.#price = price
    this.#model = JSON.stringify([alias, model])
    this.#with = dependencies
    this.#tenant = question.request.tenant ?? ''
  }

  /**
   * Before a call, with its estimated prompt; its maximum cost is reserved, so that concurrent
   * questions cannot spend it twice.
   */
  async before(tokens: CallTokens): Promise<CostVerdict> {
    const { limits } = this.#question
    const { dailyCostUsd, ...others } = limits
    const { ledger, today } = this.#with
    const now = today()
    const verdict = guardCost({ ...tokens, ...this.#rest() }, freshDay(now), others, now)
    if (!verdict.allowed) return verdict
    const cost = await this.#most(tokens)
    try {
      const held = await ledger.hold(this.#tenant, cost, dailyCostUsd, now)
      if ('settle' in held) this.#held = held
      else return this.#refused(tokens, cost.mostUsd, held, now)
      return verdict
    } finally {
      if (this.#held === undefined) this.#seen?.end(undefined)
    }
  }

  /** What a call costs by the price, or else by those before it, which may have to be awaited. */
  async #most(tokens: CallTokens): Promise<CallCost> {
    const { completionTokens, dailyCostUsd, timeMs } = this.#question.limits
    const leastUsd = this.priced(tokens).cost ?? 0
    const mostUsd = Math.max(leastUsd, this.priced({ ...tokens, completionTokens }).cost ?? 0)
    if (this.#price !== undefined || dailyCostUsd === undefined) return { leastUsd, mostUsd }
    const { clock, ledger } = this.#with
    const seen = seenCosts.get(ledger) ?? new SeenCosts()
    seenCosts.set(ledger, seen)
    const timeoutMs = Math.max(0, timeMs - this.#question.elapsed())
    this.#seen = await seen.begin(this.#model, dailyCostUsd, (first) => waitAtMost(first, { clock, timeoutMs }, () => undefined))
    return this.#seen
  }

  /** While text arrives, with an estimate of it. */
  during(tokens: CallTokens): CostVerdict {
    const { limits } = this.#question
    const generous = { ...tokens, completionTokens: Math.ceil(tokens.completionTokens / estimateMargin) }
    const isWithin = guardCost({ ...generous, ...this.#rest() }, freshDay(0), limits, 0).allowed
    return isWithin ? { allowed: true } : guardCost({ ...tokens, ...this.#rest() }, freshDay(0), limits, 0)
  }

  /** At the end of a call, with the provider's own figures if any. */
  after({ promptTokens, completionTokens }: Usage): CostVerdict {
    return guardCost({ promptTokens, completionTokens, ...this.#rest() }, freshDay(0), this.#question.limits, 0)
  }

  /** Records what a call cost, in place of its reservation; one that has not ended may have cost more than is known. */
  async charge({ cost }: Usage, isEnded: boolean): Promise<void> {
    const costUsd = cost !== undefined && cost > 0 && Number.isFinite(cost) ? cost : 0
    const held = this.#held
    this.#held = undefined
    try {
      await held?.settle(costUsd)
    } finally {
      // A provider that reports no cost with an answer reports none at all.
      if (held !== undefined) this.#seen?.end(isEnded || costUsd > 0 ? costUsd : undefined)
    }
  }

  /** What a call used, with its cost by the price list when the provider reports none. */
  priced(estimate: CallTokens, told?: Usage | null): Usage {
    const { promptTokens, completionTokens, cost } = { ...estimate, ...told }
    const reckoned = priced({ promptTokens, completionTokens }, this.#price).cost
    const known = cost ?? (reckoned && rounded(reckoned))
    const isEstimated = told === undefined || told === null || told.estimated === true
    return {
      promptTokens,
      completionTokens,
      ...(known === undefined ? {} : { cost: known }),
      ...(isEstimated ? { estimated: true } : {}),
    }
  }

  /** The ledger counts in whole units and has the last word, also where fractions of dollars would still fit. */
  #refused(tokens: CallTokens, costUsd: number, spent: Parameters<typeof guardCost>[1], now: number): CostVerdict {
    const { limits } = this.#question
    const asked = { ...tokens, ...this.#rest() }
    const verdict = guardCost({ ...asked, costUsd }, spent, limits, now)
    return verdict.allowed ? guardCost({ ...asked, costUsd: costUsd + (limits.dailyCostUsd ?? 0) }, spent, limits, now) : verdict
  }

  #rest(): { readonly sourcesBytes: number; readonly elapsedMs: number } {
    return { sourcesBytes: this.#question.sourcesBytes, elapsedMs: this.#question.elapsed() }
  }
}

/** Without the noise of binary fractions, which nobody was charged. */
function rounded(usd: number): number {
  return Number(usd.toPrecision(12))
}
