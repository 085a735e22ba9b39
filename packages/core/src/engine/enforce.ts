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
  const pass = (step: IteratorResult<string, Outcome>): IteratorResult<string, undefined> => (step.done ? finish(step.value) : step)
  const fail = (error: unknown): never => {
    finish(failedOutcome(run, asRunnerFailure(error)))
    throw error
  }
  // By hand and not with `yield*`: another generator around every piece would cost more than the checks.
  const reading: AsyncIterator<string> = {
    next: () => steps.next().then(pass, fail),
    async return() {
      const left = failedOutcome(run, new RunnerFailure('aborted', 'the stream was left before its end'))
      await steps.return(left)
      return finish(left)
    },
  }
  return { outcome: outcome as Promise<Outcome<Value>>, [Symbol.asyncIterator]: () => reading }
}

function traceEnd(run: RunState, outcome: Outcome): Outcome {
  if (!run.traced) return outcome
  const { status, reason, attempts, usage, issues } = outcome
  const { name, elapsed } = run
  run.trace({ run: name, at: elapsed, type: 'run-ended', ms: elapsed, status, reason, attempts, usage, issues })
  return outcome
}
