import {
  type CallOptions,
  type ContinueOptions,
  type ModelEvent,
  type ModelEvents,
  type Prompt,
  type Runner,
  RunnerFailure,
  type Usage,
} from '@stickler/core'
import {
  addUsage,
  estimateTokens,
  estimateTokensOfBytes,
  isTurnedAway,
  mostFormatBytes,
  noUsage,
  promptTokens,
  ReasoningSkipper,
  utf8Length,
} from '@stickler/core/internal'
import type { Breach, CostVerdict } from '@stickler/presets/internal'
import type { CallTokens, SpendGuard } from '../spending/spend-guard.ts'

/** A runner that checks limits before, during and after each call; exceeding one ends the run. */
export class GuardedRunner implements Runner {
  readonly takesSchema: Runner['takesSchema']
  readonly ownSchema: Runner['ownSchema']
  breach: Breach | undefined
  /** Why spending could not be read or saved. */
  fault: { readonly error: unknown } | undefined
  readonly #inner: Runner
  readonly #guard: SpendGuard
  #settled: Usage = noUsage
  /** The running call, as far as known. */
  #running: CallTokens | undefined
  #events: ModelEvents | undefined

  constructor(inner: Runner, guard: SpendGuard) {
    this.takesSchema = inner.takesSchema
    this.ownSchema = inner.ownSchema
    this.#inner = inner
    this.#guard = guard
  }

  /** What all calls have used; estimated for a call that was stopped. */
  get usage(): Usage {
    return addUsage(this.#settled, this.#used())
  }

  run(session: string | undefined, prompt: Prompt, options: CallOptions): AsyncIterable<ModelEvent> {
    return this.#watch(promptTokens(prompt) + formatTokens(options), () => this.#inner.run(session, prompt, options))
  }

  continue(session: string | undefined, feedback: string, options: ContinueOptions): AsyncIterable<ModelEvent> {
    const tokens = promptTokens(options.original) + estimateTokens(options.rejected) + estimateTokens(feedback) + formatTokens(options)
    return this.#watch(tokens, () => this.#inner.continue(session, feedback, options))
  }

  async *#watch(asked: number, call: () => ModelEvents): AsyncGenerator<ModelEvent> {
    this.#settle()
    this.#stopAt(await this.#kept(this.#guard.before({ promptTokens: asked, completionTokens: 0 })))
    this.#running = { promptTokens: asked, completionTokens: 0 }
    let bytes = 0
    let lastUnit = Number.NaN
    let told: Usage | undefined
    const answer = new AnswerText()
    try {
      this.#events = call()
      for await (const event of this.#events) {
        if (event.type === 'text') {
          // A chunk may end between the halves of a character.
          bytes += utf8Length(event.text, lastUnit)
          if (event.text !== '') lastUnit = event.text.charCodeAt(event.text.length - 1)
          this.#running = { promptTokens: asked, completionTokens: estimateTokensOfBytes(bytes) }
          this.#stopAt(this.#guard.during(this.#running))
          const text = answer.take(event.text)
          if (text !== '') yield { type: 'text', text }
        } else {
          const counted = this.#guard.priced(this.#running, event.usage)
          told = event.usage ? counted : (this.#used() ?? counted)
          this.#settle(told)
          this.#stopAt(this.#guard.after(counted))
          const text = answer.end()
          if (text !== '') yield { type: 'text', text }
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
      await this.#kept(this.#guard.charge(told ?? this.#used() ?? noUsage, told !== undefined))
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

  /** What the running call has used: as its runner counts it, so that there is one figure, else an estimate. */
  #used(): Usage | undefined {
    return this.#running && this.#guard.priced(this.#running, this.#events?.usage?.())
  }

  /** Ends the running call; without reported usage, the estimate counts. */
  #settle(usage = this.#used()): void {
    this.#settled = addUsage(this.#settled, usage)
    this.#running = undefined
    this.#events = undefined
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

/** The text of a model without the reasoning before it, which is no part of an answer. */
class AnswerText {
  readonly #reasoning = new ReasoningSkipper()
  #hasBegun = false

  take(text: string): string {
    return this.#shown(this.#reasoning.push(text))
  }

  end(): string {
    return this.#shown(this.#reasoning.end())
  }

  #shown(body: string): string {
    const text = this.#hasBegun || this.#reasoning.bodyStart === 0 ? body : body.trimStart()
    this.#hasBegun ||= text !== ''
    return text
  }
}
