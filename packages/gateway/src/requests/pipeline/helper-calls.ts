import type { CallOptions, Runner } from '@stickler/core'
import type { ModelParameters, Price } from '@stickler/core/internal/apis'
import { type Attempt, type Continuation, type UpstreamCallOptions, UpstreamRunner } from '@stickler/core/internal/relay'
import type { AskModel } from '@stickler/core/validators'
import type { Upstream } from '../../upstreams/upstream.ts'
import { askedTokens } from '../budgets/prompt-tokens.ts'

/** Maximum tokens of a helper's answer: a word or a query, and the model's reasoning. */
export const helperTokens = 1024

const parameters: ModelParameters = { maxTokens: helperTokens, temperature: 0 }

/** A model that the gateway itself asks. */
export interface HelperModel {
  readonly upstream: Upstream
  readonly model: string
  /** The highest price it may cost, for estimates before it reports usage. */
  readonly price: Price | undefined
}

/** The models that a pipeline calls before it generates; rules decide where one is absent. */
export interface HelperModels {
  readonly classifier?: HelperModel
  readonly reformulation?: HelperModel
  readonly relevance?: HelperModel
}

/** A request that pays for calls. */
export interface PayingRequest {
  readonly caller: { readonly requestId: string }
  /** Headers that are passed on to providers. */
  readonly headers: Readonly<Record<string, string>>
  /** Notes a call. */
  called(): void
}

/** The calls of models that one request pays for, and whose prompts are the gateway's: those of helpers, and those for a question. */
export class PaidCalls {
  readonly #request: PayingRequest
  readonly #guard: (runner: UpstreamRunner, price: Price | undefined) => Runner
  #runners: UpstreamRunner[] = []

  constructor(request: PayingRequest, guard: (runner: UpstreamRunner, price: Price | undefined) => Runner = (runner) => runner) {
    this.#request = request
    this.#guard = guard
  }

  /** The usage of the calls, including failed and aborted ones. */
  get attempts(): readonly Attempt[] {
    return this.#runners.flatMap(({ attempts }) => attempts)
  }

  /** A helper whose calls are counted here; undefined for none. */
  of(helper: HelperModel | undefined): AskModel | undefined {
    return helper && ((prompt, signal = new AbortController().signal) => this.#ask(helper, prompt, signal))
  }

  /** Puts prompts to a model; its calls are counted here. */
  runner(
    { upstream, model, price }: HelperModel,
    optionsOf: (options: CallOptions, continuation: Continuation | undefined) => UpstreamCallOptions,
  ): UpstreamRunner {
    const runner = new UpstreamRunner({
      price,
      promptTokens: (messages, format) => askedTokens({ chat: { model } }, messages, format),
      start: (messages, options, _choice, _isFirst, continuation) => {
        this.#request.called()
        return upstream.call({ model, messages, stream: options.stream }, optionsOf(options, continuation))
      },
    })
    this.#runners.push(runner)
    return runner
  }

  /** Lets go of what came of them. */
  release(): void {
    this.#runners = []
  }

  async #ask(helper: HelperModel, prompt: string, signal: AbortSignal): Promise<string> {
    const { caller, headers } = this.#request
    const runner = this.runner(helper, () => ({ requestId: caller.requestId, headers, signal, parameters }))
    const events = this.#guard(runner, helper.price).run(undefined, [{ role: 'user', content: prompt }], { signal, stream: false })
    let text = ''
    for await (const event of events) if (event.type === 'text') text += event.text
    return text
  }
}
