import { AnswerReader } from '../../answer/reader.ts'
import { allowedRepairs } from '../../contract/allowed-repairs.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Issue } from '../../contract/issue.ts'
import type { ValueReader } from '../../contract/validator.ts'
import { GivenContext } from '../check/check-scope.ts'
import type { RunState } from '../run-state.ts'
import type { ModelEvent } from '../runner.ts'
import type { RunnerFailure } from '../runner-failure.ts'
import { type DoomSearch, slicesOf } from '../stream/failure-search.ts'
import type { Doom } from '../stream/machines.ts'
import { type OpenStep, type StreamRules, VerifiedStream } from '../stream/stream.ts'
import { Attempt, type Received, type Retry } from './attempt.ts'
import { Continuation, EitherContinuation } from './continuation.ts'
import { LineContinuation } from './line-continuation.ts'
import { AbortableReading, type Take } from './model-call.ts'

/** Follows the value of an answer for partial results, as far as no other validator holds the text. */
class ValueWatch {
  readonly #run: RunState
  readonly #attempt: number
  readonly #validator: ActiveValidator
  readonly #value: ValueReader
  readonly #reader = new AnswerReader()
  /** What was received and not read yet, and its offset. */
  #unread = ''
  #read = 0
  #version = 0

  private constructor(run: RunState, validator: ActiveValidator, value: ValueReader) {
    this.#run = run
    this.#attempt = run.attempts
    this.#validator = validator
    this.#value = value
  }

  /** Follows the value that the first validator with one reads; undefined when none has. */
  static start(run: RunState): ValueWatch | undefined {
    const { validators, policy } = run.contract
    const validator = validators.find(({ prepared }) => prepared.value !== undefined)
    // Where nothing is repaired, nothing is shown as if it were.
    const allow = validator && policy.repair !== 'never' ? allowedRepairs(validator.prepared, policy, {}).usual : []
    const value = validator?.prepared.value?.(allow)
    return validator && value ? new ValueWatch(run, validator, value) : undefined
  }

  /** Takes what was received, and reads what may be shown by now. */
  follow(stream: VerifiedStream, received: string): void {
    this.#unread += received
    const length = stream.safeBeside(this.#validator) - this.#read
    if (length <= 0) return
    const chunk = this.#unread.slice(0, length)
    this.#unread = this.#unread.slice(length)
    this.#read += chunk.length
    this.#reader.push(chunk)
    this.#value.push(chunk, this.#reader)
    if (this.#value.version === this.#version) return
    this.#version = this.#value.version
    this.#run.onValue?.(this.#attempt, () => this.#value.copy())
  }
}

const none: readonly string[] = []

/** One call of the model whose text is shown as soon as it is safe. */
export class StreamedAttempt {
  /** Whether the call has to be stopped. */
  isStopped = false
  /** Whether a verdict is awaited: `settle` before more is taken. */
  isWaiting = false
  /** What came together with the text whose verdict is awaited. */
  #next: readonly string[] = none
  /** Why it has to; absent when it contradicts what was shown. */
  #doomed: OpenStep | undefined
  readonly #run: RunState
  readonly #attempt: Attempt
  readonly #stream: VerifiedStream
  readonly #continuation: Continuation | EitherContinuation | LineContinuation | undefined
  #value: ValueWatch | undefined

  constructor(run: RunState, retry: Retry | undefined, rules: StreamRules) {
    this.#run = run
    this.#attempt = new Attempt(run, retry)
    const context = new GivenContext(run.contract.policy.locale, run, run)
    this.#stream = new VerifiedStream(run.contract, context, rules, run)
    const { delivered, followsWhole } = this.#attempt
    if (delivered === '') return
    const { restarts = false } = rules
    if (delivered.endsWith('\n') && run.contract.validators.some(({ prepared }) => prepared.lines)) {
      this.#continuation = new LineContinuation(delivered, run.written, restarts)
      return
    }
    // A model that repeats its answer repeats what was changed on the way, which the client has not seen.
    this.#continuation =
      run.written === delivered
        ? new Continuation(delivered, restarts, followsWhole)
        : new EitherContinuation(new Continuation(delivered, false, followsWhole), new Continuation(run.written, restarts, followsWhole))
  }

  /** All that has been shown, as the models wrote it. */
  get written(): string {
    return this.#run.written + this.#stream.written.slice(this.#attempt.delivered.length)
  }

  /** Reads the text that was shown before, which this attempt goes on from. */
  async resume(): Promise<void> {
    for (const slice of slicesOf(this.#attempt.delivered)) {
      await this.#stream.resume(slice)
      await this.#run.executor?.pause()
    }
  }

  /** Calls the model; what `take` and `fail` make of its events is read. */
  start<T>(take: Take<T>, fail: (error: unknown) => T | PromiseLike<T>): AbortableReading<T> {
    return new AbortableReading(this.#attempt.start(true)[Symbol.asyncIterator](), this.#run, take, fail)
  }

  /** Takes what the model sent and gives the texts that may be shown now. */
  take(event: ModelEvent): readonly string[] {
    const text = this.#attempt.take(event)
    if (text === undefined) return none
    return this.#takeParts(eventParts(event, text))
  }

  /** Waits for the verdict, goes on from there, and gives the texts that may be shown now. */
  async settle(): Promise<readonly string[]> {
    const next = this.#next
    this.#next = none
    const settled = await this.#stream.settle()
    this.isWaiting = false
    // Without a run there is no consumer.
    if (this.#run.aborted) return none
    this.#value?.follow(this.#stream, '')
    const shown: string[] = []
    this.#follow(settled, shown)
    if (!this.isStopped) for (const text of this.#takeParts(next)) shown.push(text)
    return shown
  }

  #takeParts(parts: readonly string[]): readonly string[] {
    const shown: string[] = []
    let taken = 0
    while (taken < parts.length && !this.isStopped && !this.isWaiting) {
      this.#takePart(parts[taken++] as string, shown)
    }
    if (taken < parts.length) this.#next = parts.slice(taken)
    return shown
  }

  #takePart(text: string, shown: string[]): void {
    const step = this.#continuation?.push(text)
    if (step?.kind === 'pending') return
    if (step?.kind === 'contradiction') {
      this.isStopped = true
      return
    }
    const next = step ? step.text : text
    const taken = this.#stream.take(next)
    if (this.#run.onValue !== undefined) this.#followValue(next)
    this.#follow(taken, shown)
  }

  /** Publishes more of the value; consumers may have subscribed late. */
  #followValue(received: string): void {
    const isFirst = this.#value === undefined
    this.#value ??= ValueWatch.start(this.#run)
    // The value is that of the text as it is shown.
    const judged = isFirst ? this.#stream.judged(Number.POSITIVE_INFINITY).text : this.#stream.judgedOf(received)
    this.#value?.follow(this.#stream, judged)
  }

  #follow(taken: OpenStep, shown: string[]): void {
    if (taken.waits) this.isWaiting = true
    if (taken.doom) {
      this.isStopped = true
      this.#doomed = taken
    } else if (taken.pieces) {
      for (const { text, raw, certificates } of taken.pieces) {
        this.#run.release(text, raw, certificates)
        if (text !== '') shown.push(text)
      }
    } else if (taken.released !== '') {
      this.#run.release(taken.released)
      shown.push(taken.released)
    }
  }

  /** What there is of the answer of a call that was stopped. */
  async stopped(): Promise<Received> {
    if (this.#doomed?.doom === undefined) return this.#contradiction()
    const { doom, search } = this.#doomed
    const exact = (search && (await this.#finish(search))) ?? doom
    return this.#attempt.stopped(this.#stream.judged(exact.at), exact, doom.known)
  }

  /** Finds the reason, with pauses where others wait. */
  async #finish(search: DoomSearch): Promise<Doom | undefined> {
    const { executor } = this.#run
    for (;;) {
      const { done, value } = search.next()
      if (done) return value
      if (value) await value
      await executor?.pause()
      if (this.#run.aborted) return undefined
    }
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
    // What is judged elsewhere is read there.
    if (this.#run.executor?.takesText(stream.length)) return this.#attempt.conclude(stream.text, { edited: stream.edited })
    stream.end()
    return this.#attempt.conclude(stream.text, stream)
  }

  #contradiction(): Received {
    const judged = this.#stream.judged(Number.POSITIVE_INFINITY)
    const issue: Issue = {
      code: 'CONTINUATION_MISMATCH',
      severity: 'error',
      validator: 'continuation',
      message:
        this.#run.contract.policy.locale === 'de'
          ? 'Setze den bereits ausgelieferten Text fort; die Antwort widerspricht ihm.'
          : 'Continue from the delivered text; the reply contradicts it.',
    }
    return this.#attempt.stopped(judged, { at: judged.text.length, issues: [issue] }, [issue])
  }
}

/** The parts of a text event, each of which is judged by itself; those of a foreign runner that cannot make up its text are not used. */
export function eventParts(event: ModelEvent, text: string): readonly string[] {
  const parts: unknown = event.type === 'text' ? event.parts : undefined
  if (!Array.isArray(parts)) return [text]
  let length = 0
  for (const part of parts) {
    if (typeof part !== 'string' || !text.startsWith(part, length)) return [text]
    length += part.length
  }
  return length === text.length ? parts : [text]
}
