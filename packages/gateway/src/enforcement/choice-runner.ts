import type { CallOptions, ContinueOptions, Message, ModelEvent, Prompt, Runner } from '@stickler/core'
import { asMessages, contentText, retryMessages } from '@stickler/core/runners'
import type { ChatRequest, ChoiceEnd, ChoiceEvent, UpstreamCall } from '../upstreams/upstream.ts'

/** Starts calls for one request. */
export interface CallStarter {
  /** The first call, which all choices of a request share. */
  first(messages: readonly Message[], options: CallOptions): UpstreamCall
  /** Another call for one choice alone. */
  again(messages: readonly Message[], options: CallOptions): UpstreamCall
}

/** What one attempt brought beside its text. */
export interface AttemptReply {
  readonly call: UpstreamCall
  /** Characters that were sent and received, for an estimate when the call is stopped. */
  readonly asked: number
  received: number
  end?: ChoiceEnd
}

/** Hears of what a model sends beside text, in its order. */
export type SideListener = (event: Extract<ChoiceEvent, { type: 'fields' | 'logprobs' }>) => void

/** The runner of one choice of a request: its first attempt is a part of the shared call, each retry a call of its own. */
export class ChoiceRunner implements Runner {
  readonly replies: AttemptReply[] = []
  readonly #choice: number
  readonly #starter: CallStarter
  readonly #onSide: SideListener | undefined

  constructor(choice: number, starter: CallStarter, onSide?: SideListener) {
    this.#choice = choice
    this.#starter = starter
    this.#onSide = onSide
  }

  run(_session: string | undefined, prompt: Prompt, options: CallOptions): AsyncIterable<ModelEvent> {
    return this.#read(asMessages(prompt), options)
  }

  continue(_session: string | undefined, feedback: string, options: ContinueOptions): AsyncIterable<ModelEvent> {
    return this.#read(retryMessages(feedback, options), options)
  }

  #read(messages: readonly Message[], options: CallOptions): AsyncIterable<ModelEvent> {
    const isFirst = this.replies.length === 0
    const call = isFirst ? this.#starter.first(messages, options) : this.#starter.again(messages, options)
    const reply: AttemptReply = { call, asked: charactersOf(messages), received: 0 }
    this.replies.push(reply)
    const events = call.choices[isFirst ? this.#choice : 0]
    return this.#translate(events ?? missing(), reply, !isFirst || this.#choice === 0)
  }

  async *#translate(events: AsyncIterable<ChoiceEvent>, reply: AttemptReply, counts: boolean): AsyncGenerator<ModelEvent> {
    for await (const event of events) {
      if (event.type === 'text') {
        reply.received += event.text.length
        if (event.text !== '') yield event
      } else if (event.type !== 'end') this.#onSide?.(event)
      else {
        reply.end = event
        const { finishReason = 'stop', toolCalls, refused } = event
        // A shared call is paid once.
        const usage = counts ? reply.call.head().usage : undefined
        yield { type: 'end', finishReason: refused ? 'refusal' : finishReason, toolCalls, ...(usage ? { usage } : {}) }
      }
    }
  }
}

function charactersOf(messages: readonly Message[]): number {
  return messages.reduce((sum, { content }) => sum + (typeof content === 'string' ? content.length : contentText(content).length), 0)
}

async function* missing(): AsyncGenerator<ChoiceEvent> {
  yield { type: 'end', toolCalls: [], refused: false, message: {}, fields: {} }
}

/** The request of one choice alone. */
export function forOneChoice({ n: _n, ...request }: ChatRequest): ChatRequest {
  return request
}
