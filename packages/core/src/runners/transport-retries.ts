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

/** Where a runner that repeats calls has the one that does not. */
const single = Symbol('single')

interface Repeating extends Runner {
  readonly [single]?: Runner
}

/** Repeats calls that failed on the way, as long as nothing of an answer has come; the settings of the outermost count. */
export function withTransportRetries(given: Runner, settings: TransportRetrySettings = {}): Runner {
  const begin = retryRules(settings, settings)
  const runner = (given as Repeating)[single] ?? given

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
        options.onRepeat?.(failure)
      }
    }
  }

  const repeating: Repeating = {
    [single]: runner,
    takesSchema: runner.takesSchema,
    ownSchema: runner.ownSchema,
    run: (session, prompt, options) => repeat((own) => runner.run(session, prompt, own), options),
    continue: (session, feedback, options) => repeat((own) => runner.continue(session, feedback, own), options),
  }
  return repeating
}
