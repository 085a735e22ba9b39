import { forcesCall } from '../answer/tool-shapes/tool-choice.ts'
import type { Certificate } from '../contract/certificate.ts'
import { fallbackText } from '../contract/configuration/fallback.ts'
import { withoutSecrets } from './check/hide-quoted.ts'
import { statusOf, valueFacts } from './check/report.ts'
import type { Judged } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { describeFailure } from './outcome.ts'
import type { RepairResult } from './repair/repair-result.ts'
import { Result, validationStatus } from './results/result.ts'
import type { RunState } from './run-state.ts'
import type { RunnerFailure } from './runner-failure.ts'

type Final = Pick<Judged, 'answer' | 'report' | 'edits'> & {
  readonly decision: Pick<Outcome, 'reason'> & Pick<Judged['decision'], 'action'>
  readonly repaired?: Pick<RepairResult, 'certificates' | 'fixed'>
}

/** The outcome of a run whose answer was judged; `failure` when it had to do without a further one. */
export function outcomeOf(run: RunState, { decision, answer, report, repaired, edits }: Final, failure?: RunnerFailure): Outcome {
  const repairs = shownCertificates(run, edits, repaired?.certificates)
  // Field by field and in the order of the type: to spread what may be absent costs more than all the rest.
  const outcome: Draft = new Result(statusOf(report, repairs))
  outcome.delivered = decision.action === 'deliver'
  outcome.text = answer.text
  outcome.toolCalls = answer.toolCalls
  const facts = outcome.delivered ? valueFacts(report) : undefined
  if (facts) outcome.value = facts.value
  outcome.issues = report.issues
  outcome.fixed = repaired?.fixed ?? []
  outcome.repairs = repairs
  outcome.unchecked = report.unchecked
  outcome.facts = report.facts
  if (run.contract.skipped !== undefined) outcome.skipped = run.contract.skipped
  const told = validationStatus(run.contract, report)
  if (told !== undefined) outcome.validationStatus = told
  outcome.attempts = run.attempts
  outcome.usage = run.usage
  outcome.reason = decision.reason
  if (run.session !== undefined) outcome.session = run.session
  if (failure !== undefined) outcome.failure = describeFailure(failure)
  return outcome as Outcome
}

/** Changes as they may be shown: those that earlier attempts have shown, those of this one, and those that a repair made. */
function shownCertificates(
  run: RunState,
  edits: readonly Certificate[] = none,
  repairs: readonly Certificate[] = none,
): readonly Certificate[] {
  const earlier = run.earlierRepairs
  if (earlier.length === 0 && edits.length === 0 && repairs.length === 0) return none
  return withoutSecrets([...earlier, ...edits, ...repairs])
}

const none: readonly Certificate[] = []

type Draft = { -readonly [Key in Exclude<keyof Outcome, 'ok' | 'unwrap'>]?: Outcome[Key] }

/** The outcome of a run that has no answer. */
export function failedOutcome(run: RunState, failure: RunnerFailure): Outcome {
  const told = validationStatus(run.contract, { issues: [], unchecked: [] })
  return Object.assign(new Result('failed'), {
    delivered: false,
    text: run.released,
    toolCalls: [],
    issues: [],
    fixed: [],
    repairs: shownCertificates(run, run.shownRepairs),
    unchecked: [],
    facts: {},
    ...(run.contract.skipped && { skipped: run.contract.skipped }),
    ...(told === undefined ? {} : { validationStatus: told }),
    attempts: run.attempts,
    usage: run.usage,
    reason: 'runner-failed',
    ...(run.session === undefined ? {} : { session: run.session }),
    failure: describeFailure(failure),
  }) as Outcome
}

/** Statuses with which a provider says that the request itself is wrong: who asked must hear of that. */
const wrongRequest = new Set([400, 404, 413, 422])

/** The contract's fallback in place of an answer that is not delivered; what has been shown cannot be replaced. */
export function withFallback(run: RunState, outcome: Outcome): Outcome {
  const { fallback: value, mode } = run.contract.policy
  const { kind, status } = outcome.failure ?? {}
  if (value === undefined || outcome.delivered || run.released !== '' || mode === 'shadow') return outcome
  if (kind === 'aborted' || (status !== undefined && wrongRequest.has(status)) || needsOtherShape(run)) return outcome
  if (run.traced) run.trace({ run: run.name, at: run.elapsed, type: 'fell-back', attempt: run.attempts })
  const delivered = {
    status: 'unresolved',
    delivered: true,
    text: fallbackText(value),
    toolCalls: [],
    repairs: [],
    fixed: [],
    fallback: true,
  }
  return Object.assign(new Result('unresolved'), outcome, delivered, typeof value === 'string' ? {} : { value }) as Outcome
}

/** Whether who asked reads a call, or a value that nothing in the contract has compared the fallback with: an error is clearer then. */
function needsOtherShape({ context, contract: { validators } }: RunState): boolean {
  const { deliver, toolChoice } = context
  return forcesCall(toolChoice) || (deliver === 'value' && !validators.some(({ prepared }) => prepared.value !== undefined))
}
