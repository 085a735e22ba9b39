import type { CallOptions, Message, ModelEvent, Runner } from '@stickler/core'
import { answerEnd, asMessages, defaultEchoLimit, retryMessages } from '@stickler/core/runners'
import type { Upstream } from './upstream.ts'

/** What a runner of an upstream is given beside it. */
export interface RunnerSettings {
  readonly model: string
  /** Names each call for the provider. */
  readonly requestId: () => string
}

/** Makes a runner of an upstream, so that the command line reaches providers in the same way as the gateway. */
export function runUpstream(upstream: Upstream, { model, requestId }: RunnerSettings): Runner {
  async function* ask(messages: readonly Message[], { signal, stream, timeLeftMs, format }: CallOptions): AsyncGenerator<ModelEvent> {
    const left = timeLeftMs === undefined ? {} : { timeLeftMs }
    const options = { signal, requestId: requestId(), isGuarded: true, ...left, ...(format && { format }) }
    const call = upstream.call({ model, messages, stream }, options)
    let hasText = false
    for await (const event of call.choices[0] ?? []) {
      if (event.type === 'text') {
        hasText = true
        yield { type: 'text', text: event.text }
      }
      if (event.type === 'end') yield* answerEnd(event, hasText, call.head().usage)
    }
  }

  return {
    takesSchema: true,
    run: (_session, prompt, options) => ask(asMessages(prompt), options),
    continue: (_session, feedback, options) => ask(retryMessages(feedback, options, defaultEchoLimit), options),
  }
}
