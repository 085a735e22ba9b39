import type { Answer } from '../answer/answer.ts'
import { attempt, type Retry, release } from './attempt.ts'
import { continuationFeedback, feedback } from './feedback.ts'
import { fingerprint, type Judged, judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { failedOutcome, outcomeOf } from './outcome-of.ts'
import { errorsOf } from './report.ts'
import { type EnforceOptions, RunState } from './run-state.ts'
import { asRunnerFailure, RunnerFailure } from './runner-failure.ts'
import type { StreamRules } from './stream.ts'

/** Asks a model until its answer keeps the contract, a repair makes it keep it, or the budget is used up. */
export async function enforce(options: EnforceOptions): Promise<Outcome> {
  const run = new RunState(options)
  const steps = enforcement(run, undefined)
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

/** A stream of text that is safe to show, and the outcome at its end. */
export interface EnforcedStream extends AsyncIterable<string> {
  /** Settles when the stream has been read to its end, or was left. */
  readonly outcome: Promise<Outcome>
}

/** Like `enforce`, but yields the text as soon as it is safe, as the contract's `stream` option says. */
export function enforceStream(options: EnforceOptions): EnforcedStream {
  const run = new RunState(options)
  let settle = (_outcome: Outcome): void => {}
  const outcome = new Promise<Outcome>((resolve) => {
    settle = resolve
  })
  async function* read(): AsyncGenerator<string, void> {
    let ended = failedOutcome(run, new RunnerFailure('aborted', 'the stream was left before its end'))
    try {
      ended = yield* enforcement(run, run.contract.policy.mode === 'shadow' ? 'pass' : run.contract.policy.stream)
    } finally {
      settle({ ...ended, attempts: run.attempts, usage: run.usage, ...(ended.status === 'failed' ? { text: run.released } : {}) })
    }
  }
  const reading = read()
  return { outcome, [Symbol.asyncIterator]: () => reading }
}

/** The loop: one attempt after the other, each checked, decided on, and perhaps repaired. */
async function* enforcement(run: RunState, releasing: StreamRules['release'] | undefined): AsyncGenerator<string, Outcome> {
  const { contract } = run
  const { policy } = contract
  run.trace({
    type: 'run-started',
    validators: contract.validators.map(({ name }) => name),
    mode: policy.mode,
    maxAttempts: policy.retries + 1,
  })
  let retry: Retry | undefined
  let previous: string | undefined
  let outcome: Outcome | undefined
  try {
    while (outcome === undefined) {
      const received = yield* attempt(run, retry, releasing && streamRules(run, releasing))
      const judged = await judge(run, received, previous, releasing)
      if (run.signal.aborted && judged.decision.action !== 'deliver') throw run.abortFailure()
      if (judged.decision.action === 'retry') {
        previous = fingerprint(received.answer, judged.report)
        retry = prepareRetry(run, received.answer, judged)
        continue
      }
      outcome = outcomeOf(run, judged)
      const deliver = judged.decision.action === 'deliver' && releasing !== undefined
      if (deliver && outcome.text.length > run.released.length) yield* release(run, outcome.text.slice(run.released.length))
    }
  } catch (error) {
    outcome = failedOutcome(run, asRunnerFailure(error))
    run.trace({ type: 'runner-failed', attempt: run.attempts, failure: outcome.failure ?? { kind: 'crash', message: '' } })
  } finally {
    run.close()
    if (outcome) {
      const { status, reason, attempts, usage, issues } = outcome
      run.trace({ type: 'run-ended', ms: run.elapsed, status, reason, attempts, usage, issues })
    }
  }
  return outcome
}

function prepareRetry(run: RunState, answer: Answer, { report, repaired }: Judged): Retry {
  const { locale } = run.contract.policy
  // What a repair can mend for nothing need not be asked for.
  const issues = repaired ? repaired.remaining : errorsOf(report)
  const text = run.released === '' ? feedback(issues, locale) : continuationFeedback(issues, run.released, locale)
  run.trace({ type: 'feedback-sent', attempt: run.attempts, feedback: text })
  return { feedback: text, rejected: answer.text }
}

function streamRules(run: RunState, release: StreamRules['release']): StreamRules {
  const { mode, repair: order, retries } = run.contract.policy
  const lastAttempt = run.attempts >= retries
  return { release, stops: mode === 'strict' && release === 'verified', repairs: order === 'first' || (order === 'last' && lastAttempt) }
}
