import type { Judged } from './judge.ts'
import type { Failure, Outcome } from './outcome.ts'
import { errorsOf, type Report } from './report.ts'
import type { RunState } from './run-state.ts'
import type { RunnerFailure } from './runner-failure.ts'
import { statusOf } from './status.ts'

/** The outcome of a run whose last answer was judged. */
export function outcomeOf(run: RunState, judged: Judged): Outcome {
  const { decision, answer, report, repaired } = judged
  return {
    status: statusOf(report, repaired?.certificates ?? []),
    text: answer.text,
    toolCalls: answer.toolCalls,
    ...readValue(report),
    issues: report.issues,
    fixed: repaired?.fixed ?? [],
    repairs: repaired?.certificates ?? [],
    unchecked: report.unchecked,
    facts: report.facts,
    attempts: run.attempts,
    usage: run.usage,
    reason: decision.reason,
    ...(run.session === undefined ? {} : { session: run.session }),
  }
}

/** The value that a validator read from an answer without errors. */
function readValue(report: Report): { readonly value?: unknown } {
  const known = Object.values(report.facts).find((facts) => Object.hasOwn(facts, 'value'))
  return known === undefined || errorsOf(report).length > 0 ? {} : { value: known.value }
}

/** The outcome of a run that has no answer. */
export function failedOutcome(run: RunState, failure: RunnerFailure): Outcome {
  return {
    status: 'failed',
    text: run.released,
    toolCalls: [],
    issues: [],
    fixed: [],
    repairs: [],
    unchecked: [],
    facts: {},
    attempts: run.attempts,
    usage: run.usage,
    reason: 'runner-failed',
    ...(run.session === undefined ? {} : { session: run.session }),
    failure: describeFailure(failure),
  }
}

/** A failure as data, without its cause. */
export function describeFailure({ kind, message, details }: RunnerFailure): Failure {
  const { cause: _cause, ...known } = details
  return { kind, message, ...known }
}
