import type { CallOptions, ModelEvent, Prompt, Runner, TraceEvent, TraceListener } from '@stickler/core'
import {
  asMessages,
  type CancelScope,
  type EnforcedOptions,
  failureOf,
  notify,
  openCancelScope,
  retryTurns,
  sdkTurns,
  systemClock,
} from '@stickler/core/internal'
import { paramsFor } from './conversation.ts'
import type { Params, Part } from './model.ts'

/** Calls the model once; what it receives goes into its record. */
type Ask<Attempt> = (params: Params, scope: CancelScope, attempt: Attempt) => AsyncGenerator<ModelEvent>

/** The calls of one run, and which of them is delivered. */
export class Run<Attempt> {
  readonly attempts: Attempt[] = []
  /** The attempt whose answer is delivered; absent before that is decided, and with a fallback. */
  delivered: Attempt | undefined
  /** Whether a fallback takes the place of all attempts. */
  fellBack = false
  /** What the last call has thrown. */
  thrown: unknown
  readonly runner: Runner
  readonly #listen: TraceListener | undefined

  constructor(params: Params, { echoLimit, onEvent }: EnforcedOptions, make: () => Attempt, ask: Ask<Attempt>) {
    this.#listen = onEvent
    const call = async function* (this: Run<Attempt>, prompt: Prompt, options: CallOptions): AsyncGenerator<ModelEvent> {
      const scope = openCancelScope(options.signal, systemClock)
      const attempt = make()
      this.attempts.push(attempt)
      this.thrown = undefined
      try {
        await scope.hold(Promise.resolve())
        yield* ask(paramsFor(params, prompt, options, scope.signal), scope, attempt)
      } catch (thrown) {
        this.thrown = thrown
        throw failureOf(thrown)
      } finally {
        scope.release()
      }
    }.bind(this)
    this.runner = {
      takesSchema: true,
      ownSchema: params.responseFormat?.schema as Runner['ownSchema'],
      run: (_session, prompt, options) => call(prompt, options),
      continue: (_session, feedback, options) => {
        const { original, rejectedCalls } = options
        const turns = sdkTurns(retryTurns(feedback, options, echoLimit), rejectedCalls?.message?.parts as readonly Part[] | undefined)
        return call([...asMessages(original), ...turns], options)
      },
    }
  }

  /** Listens to the run, for the caller too. */
  readonly onEvent = (event: TraceEvent): void => {
    if (event.type === 'decided' && event.action === 'deliver') this.delivered = this.attempts[event.attempt - 1]
    if (event.type === 'fell-back') {
      this.delivered = undefined
      this.fellBack = true
    }
    notify(this.#listen, event)
  }
}
