import { Answer } from '../../answer/answer.ts'
import { hasVisible } from '../../answer/characters.ts'
import { finishKindOf, isCutShort, readFinishReason } from '../../answer/finish-reason.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { Issue } from '../../contract/issue.ts'
import type { LiveChecks } from '../check/collect-findings.ts'
import { hideQuoted } from '../check/hide-quoted.ts'
import type { Report } from '../check/report.ts'
import { describeFailure } from '../outcome.ts'
import type { RunState } from '../run-state.ts'
import type { CallOptions, ModelEvent, ModelEvents, Prompt, RejectedCalls, Usage } from '../runner.ts'
import { asRunnerFailure, RunnerFailure } from '../runner-failure.ts'
import { hideArguments, mayFindSecrets } from '../secret-masking.ts'
import type { StopSignal } from '../stop.ts'
import type { Doom } from '../stream/machines.ts'
import type { EditedAnswer, VerifiedStream } from '../stream/stream.ts'
import { estimateTokensOfBytes, promptTokens, utf8Length } from '../tokens/estimate-tokens.ts'
import type { TraceEvent } from '../trace.ts'

/** What a retry asks with. */
export interface Retry {
  readonly feedback: string
  readonly rejected: string
  /** Whether that came to its end by itself. */
  readonly ended: boolean
  /** The calls of that answer. */
  readonly rejectedCalls?: RejectedCalls | undefined
  /** The same as text, where a conversation may not have calls. */
  readonly callsInWords?: string
  /** The whole prompt, when the model is asked from scratch instead of in its conversation. */
  readonly anew?: Prompt
}

/** An answer as it was received; `verdict` when it was stopped before its end. */
export interface Received {
  readonly answer: Answer
  readonly verdict?: Report
  /** The checks that have read its text. */
  readonly live?: LiveChecks | undefined
  /** All errors that are certain in what was received, when it was stopped. */
  readonly known?: readonly Issue[]
  /** The message that made its calls. */
  readonly message?: RejectedCalls['message']
  /** What has been shown of it, when that was edited on the way; `answer` is as the model wrote it. */
  readonly edited?: Edited
  /** Traces that it was received, with the text that may be shown; absent when already traced, or without a listener. */
  readonly tell?: (text: string) => void
}

/** An answer that has been edited while it came. */
export interface Edited {
  /** With the changes that have been shown. */
  readonly answer: Answer
  readonly certificates: readonly Certificate[]
}

type End = Extract<ModelEvent, { type: 'end' }>
type ReceivedEvent = { -readonly [Key in keyof Traced]: Traced[Key] }
type Traced = Extract<TraceEvent, { type: 'attempt-received' }>

/** One call of the model: what it needs, takes and brings, whether its text is shown on the way or not. */
export class Attempt {
  /** Text that was shown before this attempt, which can only go on from it. */
  readonly delivered: string
  /** Whether that text is all of an answer that came to its end by itself. */
  readonly followsWhole: boolean
  readonly #run: RunState
  readonly #retry: Retry | undefined
  readonly #number: number
  readonly #started: number
  #end: End | undefined
  #events: ModelEvents | undefined
  /** Whether the model repeats an answer of which all has been delivered. */
  #repeats = false
  /** Of text that was received, for an estimate of its cost. */
  #bytes = 0
  /** The last UTF-16 unit of that text: a pair may come in two pieces. */
  #lastUnit = Number.NaN

  constructor(run: RunState, retry: Retry | undefined) {
    this.#run = run
    this.#retry = retry
    this.#number = ++run.attempts
    // Only the trace reports the duration.
    this.#started = run.traced ? run.clock.now() : 0
    this.delivered = run.released
    this.followsWhole = retry?.ended === true && this.delivered !== '' && retry.rejected.trimEnd() === this.delivered.trimEnd()
    run.beginAttempt()
    if (!run.traced) return
    const call = retry && retry.anew === undefined ? 'continue' : 'run'
    run.trace({ run: run.name, at: run.elapsed, type: 'attempt-started', attempt: this.#number, call })
  }

  /** Calls the model. */
  start(stream: boolean): ModelEvents {
    this.#events = this.#call(stream)
    return this.#events
  }

  #call(stream: boolean): ModelEvents {
    const run = this.#run
    const retry = this.#retry
    const options = new GivenCallOptions(run, stream)
    if (run.traced) {
      const attempt = this.#number
      const onRepeat = (failure: RunnerFailure): void =>
        run.trace({ run: run.name, at: run.elapsed, type: 'call-repeated', attempt, failure: describeFailure(failure) })
      options.onRepeat = onRepeat
    }
    if (retry === undefined) return run.runner.run(run.session, run.prompt, options)
    if (retry.anew !== undefined) return run.runner.run(run.firstSession, retry.anew, options)
    const { feedback, rejected, rejectedCalls, callsInWords = '' } = retry
    const shown = { original: run.prompt, rejected: rejected + callsInWords, rejectedCalls }
    return run.runner.continue(run.session, feedback, { ...options, ...shown })
  }

  /** Takes what the model sent: its text, or undefined at the end. A runner that does not keep to its port has no answer. */
  take(event: ModelEvent): string | undefined {
    const { type, text } = (typeof event === 'object' && event !== null ? event : {}) as { type?: unknown; text?: unknown }
    const isText = type === 'text' && typeof text === 'string'
    if (!isText && type !== 'end') throw new RunnerFailure('protocol', 'the runner sent something that is not a model event')
    if (this.#end !== undefined) throw new RunnerFailure('protocol', 'the runner sent something after its end event')
    if (isText) {
      if (this.followsWhole && !this.#repeats) this.#repeats = hasVisible(text)
      if (this.#run.counts && text !== '') {
        this.#bytes += utf8Length(text, this.#lastUnit)
        this.#lastUnit = text.charCodeAt(text.length - 1)
      }
      return text
    }
    this.#end = event as End
    return undefined
  }

  /** Makes sure that the model has come to its end, and not to that of the run. */
  requireEnd(): void {
    if (this.#run.aborted) throw this.#run.reason
    if (this.#end === undefined) throw new RunnerFailure('protocol', 'the runner stopped without an end event')
  }

  /** What something thrown by the call is. */
  failure(error: unknown): RunnerFailure {
    // A call that brought nothing is taken to be free.
    if (this.#bytes > 0) this.#run.spend(undefined, this.#estimate)
    return this.#run.aborted ? this.#run.abortFailure() : asRunnerFailure(error)
  }

  /** The answer, when its text is complete, with what has read it already. */
  conclude(text: string, { reader, live, edited }: Partial<Pick<VerifiedStream, 'reader' | 'live' | 'edited'>> = {}): Received {
    const run = this.#run
    const end = this.#end
    const toolCalls = end?.toolCalls ?? []
    const finishReason = readFinishReason(end?.finishReason)
    run.spend(end?.usage, this.#estimate)
    if (end?.session !== undefined) run.session = end.session
    if (toolCalls.length === 0 && end?.unread === undefined) this.#rejectEmpty(text, finishReason)
    run.hasAnswer ||= toolCalls.length > 0 || hasVisible(text)
    const answer = new Answer(text, { toolCalls, finishReason, finishMissing: end?.finishMissing, unread: end?.unread, reader })
    const received: { -readonly [Key in keyof Received]: Received[Key] } = { answer, live }
    if (end?.message !== undefined) received.message = end.message
    if (run.traced) {
      const event = this.#receivedEvent(text, finishReason)
      // What may be shown is known after the check.
      const tell = (told: string): void => run.trace({ ...event, text: told, ...(told !== text && { masked: true }) })
      if (mayFindSecrets(run)) received.tell = tell
      else run.trace(event)
    }
    if (edited !== undefined) received.edited = { answer: answer.changed(edited.text, toolCalls), certificates: edited.certificates }
    return received
  }

  /** The answer of a call that was stopped because only the model can correct it. */
  stopped({ text, certificates }: EditedAnswer, doom: Pick<Doom, 'at' | 'issues'>, others: readonly Issue[]): Received {
    const run = this.#run
    const known = hideQuoted(run.contract.validators, text, others)
    const issues = hideQuoted(run.contract.validators, text, doom.issues, others)
    run.spend(undefined, this.#estimate)
    if (run.traced) {
      run.trace({ run: run.name, at: run.elapsed, type: 'attempt-stopped', attempt: this.#number, offset: doom.at, issues })
    }
    run.hasAnswer = true
    const answer = new Answer(text)
    const verdict = { issues, unchecked: [], facts: {}, repairable: false }
    return { answer, verdict, known, ...(certificates.length > 0 && { edited: { answer, certificates } }) }
  }

  /** The cost of the call, estimated from what was sent and received. */
  readonly #estimate = (): Usage => {
    const told = this.#events?.usage?.()
    if (told !== undefined) return told
    const { prompt, format } = this.#run
    const { anew, rejected = '', feedback = '', rejectedCalls } = this.#retry ?? {}
    const calls = rejectedCalls === undefined ? '' : JSON.stringify(rejectedCalls.calls)
    const sent = anew === undefined ? promptTokens(prompt) + promptTokens(rejected + calls) + promptTokens(feedback) : promptTokens(anew)
    return { promptTokens: sent + promptTokens(format?.text ?? ''), completionTokens: estimateTokensOfBytes(this.#bytes), estimated: true }
  }

  #rejectEmpty(text: string, finishReason: string | undefined): void {
    // What was cut off or refused before its first word is judged as that.
    if (isCutShort(finishReason)) return
    // A model that repeats its whole answer has said something, if without progress; what nobody sees was not delivered.
    if (hasVisible(this.delivered) && !this.#repeats && !hasVisible(text.slice(this.delivered.length)))
      throw new RunnerFailure('empty', 'the model added nothing to the text that had been delivered')
    // An empty answer that the provider has ended is one when nothing better came before it, and nothing is judged where everything is delivered.
    const isSaid =
      (this.#end?.isSaid === true || (finishReason !== undefined && finishKindOf(finishReason) !== 'calls')) && !this.#run.hasAnswer
    if (!isSaid && text.trim() === '' && this.#run.contract.policy.mode !== 'shadow')
      throw new RunnerFailure('empty', 'the model answered with neither text nor a tool call')
  }

  #receivedEvent(text: string, finishReason: string | undefined): Traced & TraceEvent {
    const { name, elapsed, clock } = this.#run
    const ms = clock.now() - this.#started
    const event: ReceivedEvent = { run: name, at: elapsed, type: 'attempt-received', attempt: this.#number, text, ms }
    if (this.#end?.usage) event.usage = this.#end.usage
    if (finishReason !== undefined) event.finishReason = finishReason
    const calls = this.#end?.toolCalls ?? []
    if (calls.length > 0) event.toolCalls = hideArguments(this.#run.contract, calls)
    return event as Traced & TraceEvent
  }
}

/** What the runner receives; its signal is created on demand. A class, because each literal with a getter has a hidden class of its own. */
class GivenCallOptions implements CallOptions {
  readonly stop: StopSignal
  readonly stream: boolean
  declare readonly format?: NonNullable<CallOptions['format']>
  declare readonly timeLeftMs?: number
  declare readonly signal: AbortSignal
  declare onRepeat?: NonNullable<CallOptions['onRepeat']>
  readonly #run: RunState

  constructor(run: RunState, stream: boolean) {
    const { format, timeLeft } = run
    this.#run = run
    Object.defineProperty(this, 'signal', GivenCallOptions.#onDemand)
    this.stop = run.stop
    this.stream = stream
    if (format !== undefined) this.format = format
    if (timeLeft !== undefined) this.timeLeftMs = timeLeft
  }

  /** A property of the object itself, so that copies have it, and one function for all of them. */
  static readonly #onDemand: PropertyDescriptor & ThisType<GivenCallOptions> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#run.signal
    },
  }
}
