import type { RunState } from '../run-state.ts'
import type { ModelEvents } from '../runner.ts'
import { attempting, type MaybePromise, whenReady } from '../waiting/deferred.ts'
import { Attempt, type Received, type Retry } from './attempt.ts'
import { untilAborted, wholeUntilAborted } from './model-call.ts'

/** Calls the model once and waits for all of its answer; throws a RunnerFailure when there is none. */
export function wholeAttempt(run: RunState, retry: Retry | undefined): MaybePromise<Received> {
  const attempt = new Attempt(run, retry)
  return attempting(
    () => readText(attempt, run),
    (text) => attempt.conclude(text),
    (error) => {
      throw attempt.failure(error)
    },
  )
}

function readText(attempt: Attempt, run: RunState): MaybePromise<string> {
  const events = attempt.start(false)
  if (typeof events.whole !== 'function') return readPieces(attempt, events, run)
  return whenReady(wholeUntilAborted(events, run), (all) => {
    let text = ''
    for (const event of all) text += attempt.take(event) ?? ''
    attempt.requireEnd()
    return text
  })
}

async function readPieces(attempt: Attempt, events: ModelEvents, run: RunState): Promise<string> {
  let text = ''
  for await (const event of untilAborted(events, run)) text += attempt.take(event) ?? ''
  attempt.requireEnd()
  return text
}
