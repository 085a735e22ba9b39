import type { CallOptions, Message, ModelEvent, Runner } from '@stickler/core'
import { asMessages, defaultEchoLimit, endEvent, retryMessages } from '@stickler/core/runners'
import type { Upstream } from './upstream.ts'

/** What a runner of an upstream is given beside it. */
export interface RunnerSettings {
  readonly model: string
  /** Names each call for the provider. */
  readonly requestId: () => string
}

/** Makes a runner of an upstream, so that the command line reaches providers in the same way as the gateway. */
export function runUpstream(upstream: Upstream, { model, requestId }: RunnerSettings): Runner {
  async function* ask(messages: readonly Message[], { signal, stream, timeLeftMs }: CallOptions): AsyncGenerator<ModelEvent> {
    const options = { signal, requestId: requestId(), ...(timeLeftMs === undefined ? {} : { timeLeftMs }) }
    const { choices, head } = open(messages, stream, options)
    for await (const event of choices[0] ?? []) {
      if (event.type === 'text') yield { type: 'text', text: event.text }
      if (event.type !== 'end') continue
      const { finishMissing, unread, toolCalls, refused } = event
      // Providers end a refusal like any other answer; the callers of a runner are told.
      const finishReason = refused ? 'refusal' : event.finishReason
      yield endEvent({ finishReason, finishMissing, unread, toolCalls, usage: head().usage })
    }
  }

  function open(messages: readonly Message[], stream: boolean, options: Parameters<Upstream['call']>[1]) {
    const call = upstream.call({ model, messages, stream }, options)
    return { choices: call.choices, head: () => call.head() }
  }

  return {
    run: (_session, prompt, options) => ask(asMessages(prompt), options),
    continue: (_session, feedback, options) => ask(retryMessages(feedback, options, defaultEchoLimit), options),
  }
}
