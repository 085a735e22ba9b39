import type { AskModel } from '@stickler/core/relevance'
import type { Price } from '@stickler/core/runners'
import type { ChatRequest, Upstream, UpstreamCallOptions } from '../../upstreams/upstream.ts'
import { Bill } from '../budgets/bill.ts'
import { type AttemptReply, type CallStarter, ChoiceRunner } from '../choice-runner.ts'

/** Most tokens of an answer of a helper: a word or a query, and what a model thinks before it. */
export const helperTokens = 1024

/** A model that helps to understand queries. */
export interface HelperModel {
  readonly upstream: Upstream
  /** What a call asks for, without messages. */
  readonly request: Omit<ChatRequest, 'messages'>
  /** The dearest that it may cost, for what is reckoned before it tells. */
  readonly price: Price | undefined
}

/** The models that a pipeline asks before it generates; rules and words decide where one is absent. */
export interface HelperModels {
  readonly classifier?: HelperModel
  readonly reformulation?: HelperModel
  readonly relevance?: HelperModel
}

/** The calls of helpers for one request, which pays for them. */
export class HelperCalls {
  /** What the calls brought, those that failed or were aborted included. */
  readonly replies: AttemptReply[] = []
  readonly #around: Pick<UpstreamCallOptions, 'requestId' | 'headers'>
  readonly #onCall: () => void

  constructor(around: Pick<UpstreamCallOptions, 'requestId' | 'headers'>, onCall: () => void) {
    this.#around = around
    this.#onCall = onCall
  }

  /** A helper whose calls are noted here; nothing for none. */
  of(helper: HelperModel | undefined): AskModel | undefined {
    return helper && ((prompt, signal = new AbortController().signal) => this.#ask(helper, prompt, signal))
  }

  async #ask({ upstream, request, price }: HelperModel, prompt: string, signal: AbortSignal): Promise<string> {
    this.#onCall()
    const start: CallStarter['again'] = (messages) => upstream.call({ ...request, messages } as ChatRequest, { ...this.#around, signal })
    const runner = new ChoiceRunner(0, { bill: new Bill(price), request, first: start, again: start })
    const events = runner.run(undefined, [{ role: 'user', content: prompt }], { signal, stream: false })
    this.replies.push(...runner.replies)
    let text = ''
    for await (const event of events) if (event.type === 'text') text += event.text
    return text
  }
}
