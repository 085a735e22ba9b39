import type { Issue } from '../contract/issue.ts'
import { Attempt, type Received, type Retry } from './attempt.ts'
import { contextOf } from './check-scope.ts'
import { Continuation } from './continuation.ts'
import { untilAborted } from './model-call.ts'
import type { RunState } from './run-state.ts'
import type { ModelEvent } from './runner.ts'
import type { RunnerFailure } from './runner-failure.ts'
import { type StreamRules, VerifiedStream } from './stream.ts'

/** One call of the model whose text is shown as soon as it is safe. */
export class StreamedAttempt {
  /** Set when the call has to be stopped: what there is of the answer. */
  stopped: Received | undefined
  readonly #run: RunState
  readonly #attempt: Attempt
  readonly #stream: VerifiedStream
  readonly #continuation: Continuation | undefined

  constructor(run: RunState, retry: Retry | undefined, rules: StreamRules) {
    this.#run = run
    this.#attempt = new Attempt(run, retry)
    const context = contextOf(run.contract.policy.locale, run, () => run.signal)
    this.#stream = new VerifiedStream(run.contract, context, rules, run.executor)
    const { delivered } = this.#attempt
    if (delivered === '') return
    this.#continuation = new Continuation(delivered)
    this.#stream.resume(delivered)
  }

  /** Calls the model. */
  start(): AsyncIterable<ModelEvent> {
    return untilAborted(this.#attempt.start(true), this.#run)
  }

  /** Takes what the model sent and gives the text that may be shown now. */
  take(event: ModelEvent): string {
    const text = this.#attempt.take(event)
    if (text === undefined) return ''
    const step = this.#continuation?.push(text)
    if (step?.kind === 'pending') return ''
    if (step?.kind === 'contradiction') {
      this.stopped = this.#contradiction()
      return ''
    }
    const { released, doom } = this.#stream.push(step ? step.text : text)
    if (doom) this.stopped = this.#attempt.stopped(this.#stream.text.slice(0, doom.at), doom)
    else if (released !== '') this.#run.release(released)
    return released
  }

  /** Makes sure that the model has come to its end. */
  requireEnd(): void {
    this.#attempt.requireEnd()
  }

  /** What something thrown by the call is. */
  failure(error: unknown): RunnerFailure {
    return this.#attempt.failure(error)
  }

  /** The answer of a call that came to its end. */
  conclude(): Received {
    const stream = this.#stream
    const rest = this.#continuation?.end()
    if (rest?.kind === 'contradiction') return this.#contradiction()
    if (rest?.kind === 'text') stream.push(rest.text)
    stream.end()
    return this.#attempt.conclude(stream.text, stream.reader)
  }

  #contradiction(): Received {
    const { text } = this.#stream
    const issue: Issue = {
      code: 'CONTINUATION_MISMATCH',
      severity: 'error',
      validator: 'continuation',
      message:
        this.#run.contract.policy.locale === 'de'
          ? 'Die Fortsetzung widerspricht dem bereits ausgelieferten Text'
          : 'Go on from the delivered text; the reply contradicts it.',
    }
    return this.#attempt.stopped(text, { at: text.length, issues: [issue] })
  }
}
