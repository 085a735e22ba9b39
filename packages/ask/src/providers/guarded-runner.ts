import type { CallOptions, ContinueOptions, ModelEvent, Prompt, Runner, Usage } from '@stickler/core'
import { RunnerFailure } from '@stickler/core'
import {
  addUsage,
  estimateTokens,
  estimateTokensOfBytes,
  isTurnedAway,
  mostFormatBytes,
  noUsage,
  promptTokens,
  utf8Length,
} from '@stickler/core/runners'
import type { Breach, CostVerdict } from '../spending/cost-guard.ts'
import type { CallTokens, SpendGuard } from '../spending/spend-guard.ts'

/** A runner that checks limits before, during and after each call; exceeding one ends the run. */
export class GuardedRunner implements Runner {
  readonly takesSchema?: true
  breach: Breach | undefined
  /** Why spending could not be read or saved. */
  fault: { readonly error: unknown } | undefined
  readonly #inner: Runner
  readonly #guard: SpendGuard
  #settled: Usage = noUsage
  /** The running call, as far as known. */
  #running: CallTokens | undefined

  constructor(inner: Runner, guard: SpendGuard) {
    if (inner.takesSchema) this.takesSchema = true
    this.#inner = inner
    this.#guard = guard
  }

  /** What all calls have used; estimated for a call that was stopped. */
  get usage(): Usage {
    return this.#running === undefined ? this.#settled : addUsage(this.#settled, this.#guard.priced(this.#running))
  }

  run(session: string | undefined, prompt: Prompt, options: CallOptions): AsyncIterable<ModelEvent> {
    return this.#watch(promptTokens(prompt) + formatTokens(options), () => this.#inner.run(session, prompt, options))
  }

  continue(session: string | undefined, feedback: string, options: ContinueOptions): AsyncIterable<ModelEvent> {
    const tokens = promptTokens(options.original) + estimateTokens(options.rejected) + estimateTokens(feedback) + formatTokens(options)
    return this.#watch(tokens, () => this.#inner.continue(session, feedback, options))
  }

  async *#watch(asked: number, call: () => AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    this.#settle()
    this.#stopAt(await this.#kept(this.#guard.before({ promptTokens: asked, completionTokens: 0 })))
    this.#running = { promptTokens: asked, completionTokens: 0 }
    let bytes = 0
    let lastUnit = Number.NaN
    let told: Usage | undefined
    try {
      for await (const event of call()) {
        if (event.type === 'text') {
          // A chunk may end between the halves of a character.
          bytes += utf8Length(event.text, lastUnit)
          if (event.text !== '') lastUnit = event.text.charCodeAt(event.text.length - 1)
          this.#running = { promptTokens: asked, completionTokens: estimateTokensOfBytes(bytes) }
          this.#stopAt(this.#guard.during(this.#running))
          yield event
        } else {
          told = this.#guard.priced(this.#running, event.usage)
          this.#settle(told)
          this.#stopAt(this.#guard.after(told))
          // No tools were offered, so calls are not an answer.
          yield { ...event, toolCalls: [], usage: told }
        }
      }
    } catch (error) {
      // A call that the provider rejects costs nothing.
      if (bytes === 0 && isTurnedAway(error)) this.#running = undefined
      throw error
    } finally {
      // A stopped call is billed as well.
      await this.#kept(this.#guard.charge(told ?? (this.#running === undefined ? noUsage : this.#guard.priced(this.#running))))
    }
  }

  /** If spending cannot be recorded, no answer is given. */
  async #kept<Value>(work: Promise<Value>): Promise<Value> {
    try {
      return await work
    } catch (error) {
      this.fault = { error }
      throw new RunnerFailure('aborted', 'the spending could not be read or saved')
    }
  }

  /** Ends the running call; without reported usage, the estimate counts. */
  #settle(usage = this.#running && this.#guard.priced(this.#running)): void {
    this.#settled = addUsage(this.#settled, usage)
    this.#running = undefined
  }

  #stopAt(verdict: CostVerdict): void {
    if (verdict.allowed) return
    this.breach = verdict
    throw new RunnerFailure('aborted', verdict.detail)
  }
}

/** A schema that goes to the provider beside the prompt. */
function formatTokens({ format }: CallOptions): number {
  return format === undefined ? 0 : estimateTokensOfBytes(mostFormatBytes(format))
}
