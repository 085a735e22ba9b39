import { enforceStreamed, enforceWhole } from './loop.ts'
import type { Outcome } from './outcome.ts'
import { failedOutcome } from './outcome-of.ts'
import { type EnforceOptions, RunState } from './run-state.ts'
import { asRunnerFailure, RunnerFailure } from './runner-failure.ts'

/** Asks a model until its answer keeps the contract, a repair makes it keep it, or the budget is used up. */
export async function enforce<Value = unknown>(options: EnforceOptions<Value>): Promise<Outcome<Value>> {
  const run = new RunState(options)
  // The contract's check has made sure of the type.
  return traceEnd(run, await enforceWhole(run)) as Outcome<Value>
}

/** A stream of text that is safe to show, and the outcome at its end. */
export interface EnforcedStream<Value = unknown> extends AsyncIterable<string> {
  /** Settles when the stream has been read to its end, or was left. */
  readonly outcome: Promise<Outcome<Value>>
  /** The same texts in place of reading them one by one: those that came together in one list. */
  batches(): AsyncIterable<readonly string[]>
}

/** Like `enforce`, but yields the text as soon as it is safe, as the contract's `stream` option says. */
export function enforceStream<Value = unknown>(options: EnforceOptions<Value>): EnforcedStream<Value> {
  const run = new RunState(options)
  const { mode, stream } = run.contract.policy
  const steps = enforceStreamed(run, mode === 'shadow' ? 'pass' : stream)
  let settle = (_outcome: Outcome): void => {}
  const outcome = new Promise<Outcome>((resolve) => {
    settle = resolve
  })
  let over = false
  const finish = (ended: Outcome): IteratorReturnResult<undefined> => {
    run.close()
    if (!over) settle(traceEnd(run, ended))
    over = true
    return { done: true, value: undefined }
  }
  const fail = (error: unknown): never => {
    finish(failedOutcome(run, asRunnerFailure(error)))
    throw error
  }
  const leave = async (): Promise<IteratorReturnResult<undefined>> => {
    const left = failedOutcome(run, new RunnerFailure('aborted', 'the stream was left before its end'))
    await steps.return(left)
    return finish(left)
  }
  const batches: AsyncIterator<readonly string[], undefined> = {
    // By hand and not with `yield*`: another generator around every piece would cost more than the checks.
    next: () => steps.next().then((step) => (step.done ? finish(step.value) : step), fail),
    return: leave,
  }
  const reading = oneByOne(batches, leave)
  return {
    outcome: outcome as Promise<Outcome<Value>>,
    batches: () => ({ [Symbol.asyncIterator]: () => batches }),
    [Symbol.asyncIterator]: () => reading,
  }
}

function oneByOne(
  batches: AsyncIterator<readonly string[], undefined>,
  leave: () => Promise<IteratorReturnResult<undefined>>,
): AsyncIterator<string, undefined> {
  let texts: readonly string[] = []
  let taken = 0
  const first = (step: IteratorResult<readonly string[], undefined>): IteratorResult<string, undefined> => {
    if (step.done) return step
    texts = step.value
    taken = 1
    return { done: false, value: texts[0] ?? '' }
  }
  return {
    next: () => {
      const text = texts[taken++]
      return text === undefined ? batches.next().then(first) : Promise.resolve({ done: false, value: text })
    },
    return: leave,
  }
}

function traceEnd(run: RunState, outcome: Outcome): Outcome {
  if (!run.traced) return outcome
  const { status, reason, attempts, usage, issues } = outcome
  const { name, elapsed } = run
  run.trace({ run: name, at: elapsed, type: 'run-ended', ms: elapsed, status, reason, attempts, usage, issues })
  return outcome
}
