import { enforceWhole } from './loop.ts'
import type { Outcome } from './outcome.ts'
import type { EnforcedStream } from './results/enforced-stream.ts'
import { StreamedRun } from './results/streamed-run.ts'
import { type EnforceOptions, RunState } from './run-state.ts'

/** Asks a model until its answer keeps the contract, a repair makes it keep it, or the budget is used up. */
export async function enforce<Value = unknown>(options: EnforceOptions<Value>): Promise<Outcome<Value>> {
  const run = new RunState(options)
  // The contract's check has made sure of the type.
  return traceEnd(run, await enforceWhole(run)) as Outcome<Value>
}

/** Like `enforce`, but yields the text as soon as it is safe, as the contract's `stream` option says. */
export function enforceStream<Value = unknown>(options: EnforceOptions<Value>): EnforcedStream<Value> {
  const run = new RunState(options)
  return new StreamedRun(run, (outcome) => traceEnd(run, outcome)) as EnforcedStream as EnforcedStream<Value>
}

function traceEnd(run: RunState, outcome: Outcome): Outcome {
  if (!run.traced) return outcome
  const { status, reason, attempts, usage, issues } = outcome
  const { name, elapsed } = run
  run.trace({ run: name, at: elapsed, type: 'run-ended', ms: elapsed, status, reason, attempts, usage, issues })
  return outcome
}
