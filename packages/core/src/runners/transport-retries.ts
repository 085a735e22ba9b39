import type { Clock } from '../contract/ports.ts'
import type { CallOptions, ModelEvent, Runner } from '../engine/runner.ts'
import { failureOf } from './failures/failure-of.ts'
import { type RetrySettings, retryRules } from './failures/patience.ts'

/** How often and how patiently a call is repeated. */
export interface TransportRetrySettings extends RetrySettings {
  readonly clock?: Clock
  /** A number from 0 up to 1; `Math.random`. */
  readonly random?: () => number
}

/** Repeats calls that failed on the way, as long as nothing of an answer has come. */
export function withTransportRetries(runner: Runner, settings: TransportRetrySettings = {}): Runner {
  const begin = retryRules(settings, settings)

  async function* repeat<O extends CallOptions>(call: (options: O) => AsyncIterable<ModelEvent>, options: O): AsyncGenerator<ModelEvent> {
    const wait = begin(options)
    for (let own = options; ; ) {
      let hasBegun = false
      try {
        for await (const event of call(own)) {
          hasBegun = true
          yield event
        }
        return
      } catch (thrown) {
        const failure = failureOf(thrown)
        if (hasBegun) throw failure
        own = await wait(failure)
      }
    }
  }

  return {
    ...(runner.takesSchema && { takesSchema: true }),
    run: (session, prompt, options) => repeat((own) => runner.run(session, prompt, own), options),
    continue: (session, feedback, options) => repeat((own) => runner.continue(session, feedback, own), options),
  }
}
