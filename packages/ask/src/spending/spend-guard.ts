import type { Usage } from '@stickler/core'
import { priced } from '@stickler/core/internal'
import type { AskProvider, SpendHold } from '../ports.ts'
import type { Question } from '../question/question.ts'
import type { AskDependencies } from '../settings.ts'
import { type CostVerdict, freshDay, guardCost } from './cost-guard.ts'

/** Tokens of one call. */
export interface CallTokens {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** The estimate of tokens may be well above the provider's own figure, which counts in the end. */
const estimateMargin = 2

/** What cost tracking needs. */
export type SpendPorts = Pick<AskDependencies, 'ledger' | 'today'>

/** The tenant and budget of calls. */
export interface Spender extends Pick<Question, 'limits' | 'sourcesBytes' | 'elapsed'> {
  readonly request: Pick<Question['request'], 'tenant'>
}

/** Checks and counts what the calls for one question use. */
export class SpendGuard {
  readonly #question: Spender
  readonly #price: AskProvider['price']
  readonly #with: SpendPorts
  readonly #tenant: string
  #held: SpendHold | undefined

  constructor(question: Spender, { price }: AskProvider, dependencies: SpendPorts) {
    this.#question = question
    this.#price = price
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
    const leastUsd = this.priced(tokens).cost ?? 0
    const mostUsd = Math.max(leastUsd, this.priced({ ...tokens, completionTokens: limits.completionTokens }).cost ?? 0)
    const held = await ledger.hold(this.#tenant, { leastUsd, mostUsd }, dailyCostUsd, now)
    if ('settle' in held) this.#held = held
    else return this.#refused(tokens, mostUsd, held, now)
    return verdict
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

  /** Records what a call cost, in place of its reservation. */
  async charge({ cost }: Usage): Promise<void> {
    const costUsd = cost !== undefined && cost > 0 && Number.isFinite(cost) ? cost : 0
    const held = this.#held
    this.#held = undefined
    await held?.settle(costUsd)
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
