import type { CallOptions, Message, ModelEvent, Runner } from '@stickler/core'
import { answerEnd, asMessages, defaultEchoLimit, retryMessages } from '@stickler/core/internal'
import type { Upstream } from './upstream.ts'

/** Options of a runner made from an upstream. */
interface RunnerSettings {
  readonly model: string
  /** Returns an id for each call. */
  readonly requestId: () => string
}

/** Makes a runner of an upstream, so that the command line calls providers in the same way as the gateway. */
export function runUpstream(upstream: Upstream, { model, requestId }: RunnerSettings): Runner {
  async function* ask(
    messages: readonly Message[],
    { signal, stream, timeLeftMs, format, onRepeat }: CallOptions,
  ): AsyncGenerator<ModelEvent> {
    const left = timeLeftMs === undefined ? {} : { timeLeftMs }
    const options = { signal, requestId: requestId(), isGuarded: true, ...left, ...(format && { format }), ...(onRepeat && { onRepeat }) }
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
