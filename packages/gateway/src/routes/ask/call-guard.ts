import { type CallOptions, type ModelEvent, type Runner, RunnerFailure } from '@stickler/core'
import { estimateTokens, estimateTokensOfBytes, mostFormatBytes, noUsage, priced, promptTokens } from '@stickler/core/internal'
import type { Price } from '@stickler/core/internal/apis'
import type { UpstreamRunner } from '@stickler/core/internal/relay'
import { type Breach, type CostLimits, capBreach, guardCost } from '@stickler/presets/internal'
import type { CallCost, SettleCall } from '../../requests/budgets/key-budgets.ts'

/** Sets aside what a call can cost, within a daily cap; otherwise returns the dollars that are spent and reserved. */
export type CallHold = (call: CallCost, capUsd: number) => Promise<SettleCall | number>

/** The estimate of tokens may be well above the provider's own figure, which counts in the end. */
const estimateMargin = 2

/** The limits of one question, which all of its calls share. */
export class CallGuard {
  /** 0 until the sources are known. */
  sourcesBytes = 0
  /** The limit that ended the last call. */
  breach: Breach | undefined = undefined
  /** Why spending could not be read or saved: then there is no answer, whichever call it was. */
  fault: { readonly error: unknown } | undefined = undefined
  /** Milliseconds since the question was asked. */
  readonly elapsed: () => number
  readonly #limits: CostLimits
  readonly #hold: CallHold

  constructor(limits: CostLimits, hold: CallHold, elapsed: () => number) {
    this.#limits = limits
    this.#hold = hold
    this.elapsed = elapsed
  }

  /** The first limit that a call exceeds. */
  excess(promptTokens: number, completionTokens = 0): Breach | undefined {
    return guardCost({ promptTokens, completionTokens, sourcesBytes: this.sourcesBytes, elapsedMs: this.elapsed() }, this.#limits)
  }

  /** A runner whose calls are checked before, while and after they run; exceeding a limit ends the run. */
  around(inner: UpstreamRunner, price: Price | undefined): Runner {
    const watch = (asked: number, options: CallOptions, call: () => AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent> =>
      this.#watch(inner, call, asked + formatTokens(options), price)
    return {
      takesSchema: true,
      ownSchema: inner.ownSchema,
      run: (session, prompt, options) => watch(promptTokens(prompt), options, () => inner.run(session, prompt, options)),
      continue: (session, feedback, options) => {
        const asked = promptTokens(options.original) + estimateTokens(options.rejected) + estimateTokens(feedback)
        return watch(asked, options, () => inner.continue(session, feedback, options))
      },
    }
  }

  async *#watch(
    { attempts }: UpstreamRunner,
    call: () => AsyncIterable<ModelEvent>,
    asked: number,
    price: Price | undefined,
  ): AsyncGenerator<ModelEvent> {
    const settle = await this.#begin(asked, price)
    const before = attempts.length
    const usage = () => attempts[before]?.usage() ?? noUsage
    try {
      for await (const event of call()) {
        const used = usage()
        const isEnd = event.type === 'end'
        const likely = isEnd ? used.completionTokens : Math.ceil(used.completionTokens / estimateMargin)
        if (this.excess(used.promptTokens, likely) !== undefined) this.#stop(this.excess(used.promptTokens, used.completionTokens))
        yield isEnd ? { ...event, usage: used } : event
      }
    } finally {
      // A stopped call is billed as well.
      await this.#kept(settle?.(usage()))
    }
  }

  /** Its maximum cost is reserved, so that concurrent questions cannot spend it twice. */
  async #begin(asked: number, price: Price | undefined): Promise<SettleCall | undefined> {
    const { dailyCostUsd, completionTokens } = this.#limits
    this.#stop(this.excess(asked))
    if (dailyCostUsd === undefined) return undefined
    const costOf = (completionTokens: number): number => priced({ promptTokens: asked, completionTokens }, price).cost ?? 0
    const mostUsd = costOf(completionTokens)
    const held = await this.#kept(this.#hold({ leastUsd: costOf(0), mostUsd }, dailyCostUsd))
    return typeof held === 'number' ? this.#stop(capBreach(held + mostUsd, dailyCostUsd)) : held
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
      this.fault = { error }
      throw new RunnerFailure('aborted', 'the spending could not be read or saved')
    }
  }
}

/** A schema that goes to the provider beside the prompt. */
function formatTokens({ format }: CallOptions): number {
  return format === undefined ? 0 : estimateTokensOfBytes(mostFormatBytes(format))
}
