import { type CallOptions, type ContinueOptions, type ModelEvent, type Prompt, type Runner, RunnerFailure } from '@stickler/core'
import { estimateTokens, estimateTokensOfBytes, mostFormatBytes, noUsage, priced, promptTokens } from '@stickler/core/internal'
import type { Price } from '@stickler/core/internal/apis'
import type { Attempt, UpstreamRunner } from '@stickler/core/internal/relay'
import { type Breach, type CostLimits, type CostUsage, capBreach, guardCost } from '@stickler/presets/internal'
import type { DailyCap, SettleCall } from './daily-cap.ts'

/** The limits of one question, which all of its calls share. */
export interface CallGuard {
  readonly limits: CostLimits
  readonly cap: DailyCap
  readonly tenant: string
  /** 0 until the sources are known. */
  sourcesBytes: number
  /** Why spending could not be read or saved: then there is no answer, whichever call it was. */
  fault: { readonly error: unknown } | undefined
  /** Milliseconds since the question was asked. */
  elapsed(): number
  today(): number
}

/** The estimate of tokens may be well above the provider's own figure, which counts in the end. */
const estimateMargin = 2

/** A runner that checks limits before, during and after each call; exceeding one ends the run. */
export class GuardedRunner implements Runner {
  readonly takesSchema = true
  readonly ownSchema: Runner['ownSchema']
  breach: Breach | undefined
  readonly #inner: UpstreamRunner
  readonly #guard: CallGuard
  readonly #price: Price | undefined

  constructor(inner: UpstreamRunner, guard: CallGuard, price: Price | undefined) {
    this.ownSchema = inner.ownSchema
    this.#inner = inner
    this.#guard = guard
    this.#price = price
  }

  get attempts(): readonly Attempt[] {
    return this.#inner.attempts
  }

  run(session: string | undefined, prompt: Prompt, options: CallOptions): AsyncIterable<ModelEvent> {
    return this.#watch(promptTokens(prompt) + formatTokens(options), () => this.#inner.run(session, prompt, options))
  }

  continue(session: string | undefined, feedback: string, options: ContinueOptions): AsyncIterable<ModelEvent> {
    const tokens = promptTokens(options.original) + estimateTokens(options.rejected) + estimateTokens(feedback) + formatTokens(options)
    return this.#watch(tokens, () => this.#inner.continue(session, feedback, options))
  }

  async *#watch(asked: number, call: () => AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    const settle = await this.#begin(asked)
    const before = this.#inner.attempts.length
    const usage = () => this.#inner.attempts[before]?.usage() ?? noUsage
    try {
      for await (const event of call()) {
        const used = usage()
        const isEnd = event.type === 'end'
        const likely = isEnd ? used : { ...used, completionTokens: Math.ceil(used.completionTokens / estimateMargin) }
        if (this.#breach(likely) !== undefined) this.#stop(this.#breach(used))
        yield isEnd ? { ...event, usage: used } : event
      }
    } finally {
      // A stopped call is billed as well.
      await this.#kept(settle?.(Math.max(0, usage().cost ?? 0) || 0))
    }
  }

  /** Its maximum cost is reserved, so that concurrent questions cannot spend it twice. */
  async #begin(asked: number): Promise<SettleCall | undefined> {
    const { limits, cap, tenant, today } = this.#guard
    const { dailyCostUsd, completionTokens } = limits
    const least = { promptTokens: asked, completionTokens: 0 }
    this.#stop(this.#breach(least))
    if (dailyCostUsd === undefined) return undefined
    const leastUsd = priced(least, this.#price).cost ?? 0
    const mostUsd = priced({ ...least, completionTokens }, this.#price).cost ?? 0
    const now = today()
    const held = await this.#kept(cap.hold(tenant, { leastUsd, mostUsd }, dailyCostUsd, now))
    if (typeof held === 'function' || held === undefined) return held
    return this.#stop(capBreach(held + mostUsd, dailyCostUsd))
  }

  #breach({ promptTokens, completionTokens }: Pick<CostUsage, 'promptTokens' | 'completionTokens'>): Breach | undefined {
    const { limits, sourcesBytes, elapsed } = this.#guard
    return guardCost({ promptTokens, completionTokens, sourcesBytes, elapsedMs: elapsed() }, limits)
  }

  #stop(breach: Breach | undefined): undefined {
    if (breach === undefined) return
    this.breach = breach
    throw new RunnerFailure('aborted', breach.detail)
  }

  async #kept<Value>(work: Promise<Value> | undefined): Promise<Value | undefined> {
    try {
      return await work
    } catch (error) {
      this.#guard.fault = { error }
      throw new RunnerFailure('aborted', 'the spending could not be read or saved')
    }
  }
}

/** A schema that goes to the provider beside the prompt. */
function formatTokens({ format }: CallOptions): number {
  return format === undefined ? 0 : estimateTokensOfBytes(mostFormatBytes(format))
}
