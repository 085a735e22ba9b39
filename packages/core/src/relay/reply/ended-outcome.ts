import { noUsage } from '../../engine/decide/budget.ts'
import type { Outcome } from '../../engine/outcome.ts'
import { describeFailure } from '../../engine/outcome.ts'
import { Result } from '../../engine/results/result.ts'
import type { EnforceOptions } from '../../engine/run-state.ts'
import type { RunnerFailure } from '../../engine/runner-failure.ts'
import type { TraceEvent } from '../../engine/trace.ts'

type Told = TraceEvent extends infer Event ? (Event extends TraceEvent ? Omit<Event, 'run' | 'at'> : never) : never

/**
 * The outcome of a run that ended before its model was called; its trace has a start and an end
 * like any other.
 */
export function endedOutcome({ contract, onEvent, runId = '' }: EnforceOptions, ended: RunnerFailure): Outcome {
  const failure = describeFailure(ended)
  const outcome = Object.assign(new Result('failed'), {
    delivered: false,
    text: '',
    toolCalls: [],
    issues: [],
    fixed: [],
    repairs: [],
    unchecked: [],
    facts: {},
    attempts: 0,
    usage: noUsage,
    reason: 'runner-failed',
    failure,
  }) as Outcome
  const tell = (event: Told): void => onEvent?.({ run: runId, at: 0, ...event } as TraceEvent)
  const { mode, retries } = contract.policy
  const { status, reason, attempts, usage, issues } = outcome
  tell({ type: 'run-started', validators: [], mode, maxAttempts: retries + 1 })
  tell({ type: 'runner-failed', attempt: 0, failure })
  tell({ type: 'run-ended', ms: 0, status, reason, attempts, usage, issues })
  return outcome
}
