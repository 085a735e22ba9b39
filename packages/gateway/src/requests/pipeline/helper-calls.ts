import type { Runner } from '@stickler/core'
import type { ModelParameters, Price } from '@stickler/core/internal/apis'
import { type Attempt, UpstreamRunner } from '@stickler/core/internal/relay'
import type { AskModel } from '@stickler/core/validators'
import type { Upstream } from '../../upstreams/upstream.ts'
import { askedTokens } from '../budgets/prompt-tokens.ts'

/** Maximum tokens of a helper's answer: a word or a query, and the model's reasoning. */
export const helperTokens = 1024

const parameters: ModelParameters = { maxTokens: helperTokens, temperature: 0 }

/** A model that helps to understand queries. */
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

/** A request that pays for helper calls. */
export interface PayingRequest {
  readonly caller: { readonly requestId: string }
  /** Headers that are passed on to providers. */
  readonly headers: Readonly<Record<string, string>>
  /** Notes a call. */
  called(): void
}

/** The helper calls of one request, which pays for them. */
export class HelperCalls {
  readonly #request: PayingRequest
  readonly #guard: (runner: UpstreamRunner, price: Price | undefined) => Runner
  readonly #runners: UpstreamRunner[] = []

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

  async #ask({ upstream, model, price }: HelperModel, prompt: string, signal: AbortSignal): Promise<string> {
    const { caller, headers } = this.#request
    this.#request.called()
    const runner = new UpstreamRunner({
      price,
      promptTokens: (messages, format) => askedTokens({ chat: { model } }, messages, format),
      start: (messages) => upstream.call({ model, messages, stream: false }, { requestId: caller.requestId, headers, signal, parameters }),
    })
    this.#runners.push(runner)
    const events = this.#guard(runner, price).run(undefined, [{ role: 'user', content: prompt }], { signal, stream: false })
    let text = ''
    for await (const event of events) if (event.type === 'text') text += event.text
    return text
  }
}
