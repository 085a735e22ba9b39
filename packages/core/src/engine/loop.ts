import type { Answer } from '../answer/answer.ts'
import { askAnew } from './ask-anew.ts'
import { attempt, type Retry } from './attempt.ts'
import { continuationFeedback } from './feedback.ts'
import { fingerprint, type Judged, judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { describeFailure, failedOutcome, outcomeOf } from './outcome-of.ts'
import { feedbackFor } from './own-feedback.ts'
import { errorsOf } from './report.ts'
import type { RunState } from './run-state.ts'
import { RunnerFailure } from './runner-failure.ts'
import type { StreamRules } from './stream.ts'

/** The loop: one attempt after the other, each checked, decided on, and perhaps repaired. */
export async function* enforcement(run: RunState, releasing: StreamRules['release'] | undefined): AsyncGenerator<string, Outcome> {
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
  try {
    for (;;) {
      const received = yield* attempt(run, retry, releasing && streamRules(run, releasing))
      const judged = await judge(run, received, previous, releasing)
      const { action, reason } = judged.decision
      // Checks that an abort cut short say nothing.
      if (run.signal.aborted && reason !== 'clean') throw run.abortFailure()
      if (action !== 'retry') {
        const outcome = outcomeOf(run, judged)
        const rest = outcome.text.slice(run.released.length)
        if (action === 'deliver' && releasing && rest !== '') {
          run.release(rest)
          yield rest
        }
        return outcome
      }
      previous = fingerprint(received.answer, judged.report)
      retry = prepareRetry(run, received.answer, judged)
    }
  } catch (error) {
    if (!(error instanceof RunnerFailure)) throw error
    const outcome = failedOutcome(run, error)
    run.trace({ type: 'runner-failed', attempt: run.attempts, failure: describeFailure(error) })
    return outcome
  } finally {
    run.close()
  }
}

function prepareRetry(run: RunState, answer: Answer, { report, repaired }: Judged): Retry {
  const { contract, released } = run
  const { locale, askAgain } = contract.policy
  // What a repair can mend for nothing need not be asked for.
  const issues = repaired ? repaired.remaining : errorsOf(report)
  const text = released === '' ? feedbackFor(contract, issues) : continuationFeedback(issues, released, locale)
  run.trace({ type: 'feedback-sent', attempt: run.attempts, feedback: text })
  // What has been shown can only be continued, and for that the model must see it.
  const isAnew = askAgain === 'anew' && released === ''
  return { feedback: text, rejected: answer.text, ...(isAnew ? { anew: askAnew(run.prompt, text) } : {}) }
}

function streamRules(run: RunState, release: StreamRules['release']): StreamRules {
  const { mode, repair: order, retries } = run.contract.policy
  const lastAttempt = run.attempts >= retries
  return { release, stops: mode === 'strict' && release !== 'pass', repairs: order === 'first' || (order === 'last' && lastAttempt) }
}
