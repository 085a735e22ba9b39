import type { RunState } from '../run-state.ts'
import { Attempt, type Received, type Retry } from './attempt.ts'
import { untilAborted, wholeUntilAborted } from './model-call.ts'

/** Calls the model once and waits for all of its answer; throws a RunnerFailure when there is none. */
export async function wholeAttempt(run: RunState, retry: Retry | undefined): Promise<Received> {
  const attempt = new Attempt(run, retry)
  let text = ''
  try {
    const events = attempt.start(false)
    if (typeof events.whole === 'function') for (const event of await wholeUntilAborted(events, run)) text += attempt.take(event) ?? ''
    else for await (const event of untilAborted(events, run)) text += attempt.take(event) ?? ''
    attempt.requireEnd()
  } catch (error) {
    throw attempt.failure(error)
  }
  return attempt.conclude(text, undefined)
}
