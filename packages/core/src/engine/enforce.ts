import { enforceWhole } from './loop.ts'
import type { Outcome } from './outcome.ts'
import type { EnforcedStream } from './results/enforced-stream.ts'
import type { Narrowing, ValueIn } from './results/typed-value.ts'
import { type EnforceOptions, RunState } from './run-state.ts'
import { StreamedRun } from './streamed-run.ts'
import { type MaybePromise, whenReady } from './waiting/deferred.ts'

/** Asks a model until its answer keeps the contract, a repair makes it keep it, or the budget is used up. */
export async function enforce<
  Value = unknown,
  const Context extends Readonly<Record<string, unknown>> = Readonly<Record<never, never>>,
  const Only extends readonly string[] = never,
>(options: EnforceOptions<Value> & Narrowing<Context, Only>): Promise<Outcome<ValueIn<Value, Context, Only>>> {
  // The contract's check has made sure of the type.
  return enforceDirectly(options) as MaybePromise<Outcome<ValueIn<Value, Context, Only>>>
}

/** The same without promises of its own: where the runner and all checks are done at once, so is the run. */
export function enforceDirectly(options: EnforceOptions): MaybePromise<Outcome> {
  const run = new RunState(options)
  return whenReady(enforceWhole(run), (outcome) => traceEnd(run, outcome))
}

/** Like `enforce`, but yields the text as soon as it is safe, as the contract's `stream` option says. */
export function enforceStream<
  Value = unknown,
  const Context extends Readonly<Record<string, unknown>> = Readonly<Record<never, never>>,
  const Only extends readonly string[] = never,
>(options: EnforceOptions<Value> & Narrowing<Context, Only>): EnforcedStream<ValueIn<Value, Context, Only>> {
  const run = new RunState(options)
  return new StreamedRun(run, (outcome) => traceEnd(run, outcome)) as EnforcedStream as EnforcedStream<ValueIn<Value, Context, Only>>
}

function traceEnd(run: RunState, outcome: Outcome): Outcome {
  if (!run.traced) return outcome
  const { status, reason, attempts, usage, issues } = outcome
  const { name, elapsed } = run
  run.trace({ run: name, at: elapsed, type: 'run-ended', ms: elapsed, status, reason, attempts, usage, issues })
  return outcome
}
