import type { ClientRequest } from '../../apis/shared/api.ts'
import { ownSchema } from '../../apis/shared/structured-output.ts'
import type { CallOptions, ContinueOptions, Message, ModelEvents, Prompt, Runner } from '../../engine/runner.ts'
import { asMessages, retryMessages } from '../../runners/conversation.ts'
import { retryContinuation } from '../calls/continuation.ts'
import type { Continuation, UpstreamCall } from '../calls/upstream-call.ts'
import { type ArrivalListener, Attempt, type CallTerms, piecewise } from './attempt.ts'

/** Starts the calls of a request. */
export interface Calls extends CallTerms {
  /** The attempt that started the call which all choices share. */
  lead?: Attempt | undefined
  /** What the client sent; absent for calls that are not a client's. */
  readonly sent?: Pick<ClientRequest, 'body'>
  /** Starts a call for a choice: its first one, which all choices share, or another for it alone. */
  start(messages: readonly Message[], options: CallOptions, choice: number, isFirst: boolean, continuation?: Continuation): UpstreamCall
}

/** Puts the prompts of an engine to an upstream. */
export class UpstreamRunner implements Runner {
  readonly takesSchema = true
  readonly ownSchema: Runner['ownSchema']
  readonly index: number
  readonly attempts: Attempt[] = []
  readonly #calls: Calls
  readonly #onArrival: ArrivalListener | undefined

  constructor(calls: Calls, index = 0, onArrival?: ArrivalListener) {
    this.index = index
    this.ownSchema = calls.sent && ownSchema(calls.sent.body)
    this.#calls = calls
    this.#onArrival = onArrival
  }

  run(_session: string | undefined, prompt: Prompt, options: CallOptions): ModelEvents {
    return this.#attempt(asMessages(prompt), options)
  }

  continue(_session: string | undefined, feedback: string, options: ContinueOptions): ModelEvents {
    const { place, session } = this.attempts.at(-1)?.call.head().process ?? {}
    const isOpen = place !== undefined && session !== undefined
    return this.#attempt(retryMessages(feedback, options), options, isOpen ? retryContinuation(place, session, feedback) : undefined)
  }

  #attempt(messages: readonly Message[], options: CallOptions, continuation?: Continuation): ModelEvents {
    const calls = this.#calls
    const isFirst = this.attempts.length === 0
    const call = calls.start(messages, options, this.index, isFirst, continuation)
    const attempt = isFirst
      ? new Attempt(call, calls, messages, options.format, this.#onArrival, this.index, calls.lead)
      : new Attempt(call, calls, messages, options.format, this.#onArrival)
    if (isFirst) calls.lead ??= attempt
    this.attempts.push(attempt)
    return call.choices.length === 1 ? attempt : piecewise(attempt)
  }
}
