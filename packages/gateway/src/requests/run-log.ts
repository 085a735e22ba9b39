import type { Clock, Failure, TraceEvent, Usage } from '@stickler/core'
import type { Mutable } from '@stickler/core/internal/relay'
import { keptCalls } from '../records/run/kept-calls.ts'
import { ReleaseTimeline } from '../records/run/release-timeline.ts'
import type { AttemptRecord } from '../records/run/run-record.ts'

/** Called when an attempt brought no answer, or a wrong one. */
export interface FailedAttempts {
  failed(attempt: AttemptRecord, log: RunLog): void
}

/** Collects the attempts to record from the trace of a run. */
export class RunLog {
  readonly #keepText: boolean
  readonly #attempts: Mutable<AttemptRecord>[] = []
  #startedAt = 0
  /** When the first text was released, in milliseconds since the run began. */
  firstTextMs: number | undefined = undefined
  /** The attempt that is delivered, as soon as that is decided. */
  answering: number | undefined = undefined
  /** The name of the run, where one was needed before its end. */
  runId: string | undefined = undefined
  readonly #listener: FailedAttempts
  readonly #timeline = new ReleaseTimeline()
  /** When the run began, by the clock of arrivals. */
  #beganAt = 0
  /** Absent where nobody reads a stream. */
  readonly #clock: Clock | undefined
  /** The last attempt that was reported. */
  #reported: AttemptRecord | undefined = undefined

  constructor(keepText: boolean, listener: FailedAttempts, clock?: Clock) {
    this.#clock = clock
    this.#keepText = keepText
    this.#listener = listener
  }

  /** The attempts so far. */
  get attempts(): readonly AttemptRecord[] {
    return this.#attempts
  }

  /** What a reader of a stream had, what was held back, and when; undefined without any text. */
  get timeline(): string | undefined {
    return this.#timeline.value()
  }

  /** Notes text of the model that came, before any of it is shown. */
  arrive(text: string): void {
    if (this.#clock !== undefined) this.#timeline.arrive(this.#clock.now() - this.#beganAt, text.length)
  }

  /** Takes one event of the run. */
  readonly listen = (event: TraceEvent): void => {
    if (event.type === 'attempt-started') {
      this.#startedAt = event.at
      if (event.attempt > 1) this.#timeline.begin(event.at, event.attempt)
      this.#attempts.push({ number: event.attempt, call: event.call, ms: 0, issues: [] })
      return
    }
    if (event.type === 'run-started') this.#beganAt = (this.#clock?.now() ?? 0) - event.at
    if (event.type === 'run-ended') this.#timeline.end(event.at)
    const last = this.#attempts.at(-1)
    if (last === undefined) return
    switch (event.type) {
      case 'text-released':
        this.firstTextMs ??= event.at
        this.#timeline.add(event.at, event.length, event.edited?.raw)
        break
      case 'attempt-stopped':
        last.ms = event.at - this.#startedAt
        last.stoppedAt = event.offset
        last.issues = event.issues
        this.#report(last)
        break
      case 'attempt-received':
        last.ms = event.ms
        if (event.usage) last.usage = event.usage
        if (event.finishReason !== undefined) last.finishReason = event.finishReason
        if (this.#keepText) {
          last.text = event.text
          if (event.masked) last.masked = true
          if (event.toolCalls) last.toolCalls = keptCalls(event.toolCalls)
        }
        break
      case 'runner-failed':
        last.ms = event.at - this.#startedAt
        last.decision = 'failed'
        last.failure = recordedKind(event.failure)
        this.#report(last)
        break
      case 'checked':
        last.issues = event.issues
        if (event.issues.some(({ severity }) => severity === 'error')) this.#report(last)
        break
      case 'decided':
        // The engine may go back to an earlier attempt.
        for (const one of this.#attempts) if (one.number === event.attempt) one.decision = event.action
        if (event.action === 'deliver') this.answering = event.attempt
        break
      case 'feedback-sent':
        if (this.#keepText) last.feedback = event.feedback
        break
    }
  }

  #report(attempt: AttemptRecord): void {
    if (this.#reported === attempt) return
    this.#reported = attempt
    this.#listener.failed(attempt, this)
  }
}

/** No tokens. */
export const noUsage: Usage = { promptTokens: 0, completionTokens: 0 }

/** The kind of a failure in records and logs; an open circuit is one of its own, since no provider was called. */
export function recordedKind({ kind, code }: Failure): string {
  return code === 'circuit_open' ? code : kind
}
