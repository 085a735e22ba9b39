import type { Answer } from '../answer/answer.ts'
import type { Received } from './attempt/attempt.ts'
import { runChecks } from './check/check.ts'
import { errorsOf, hasErrors, issueKey, type Report } from './check/report.ts'
import { unreadKind } from './check/unread.ts'
import { type Decision, decide, type Situation, type StopReason } from './decide/decide.ts'
import { type RepairResult, repair } from './repair/repair.ts'
import type { RunState } from './run-state.ts'
import type { StreamRules } from './stream/stream.ts'

/** What has been found out about an answer, and what to do with it. */
export interface Judged {
  readonly decision: Decision
  readonly answer: Answer
  /** On the answer as it was received. */
  readonly found: Report
  /** On the answer as it is delivered. */
  readonly report: Report
  readonly repaired?: RepairResult
}

/** Checks an answer, decides on it, and repairs it where that is the cheapest sound action; at once where nothing has to be waited for. */
export function judge(run: RunState, received: Received, releasing: StreamRules['release'] | undefined): Judged | Promise<Judged> {
  // Only the trace tells how long it took.
  const started = run.traced ? run.clock.now() : 0
  const report = received.verdict ?? runChecks(run.contract, received.answer, run)
  const decideOn = (ready: Report): Judged | Promise<Judged> => {
    if (run.traced) traceChecked(run, ready, started)
    // Of an answer that was stopped the beginning counts: what follows it was not asked for.
    const isUnchanged = run.attempts > 1 && hasErrors(ready) && run.tally.wasRejected(fingerprint(received.answer, ready))
    return actOn(run, received.answer, ready, () => stopReason(run, isUnchanged, releasing))
  }
  return report instanceof Promise ? report.then(decideOn) : decideOn(report)
}

/** Asked at the moment of the decision: runs that share the budget decide meanwhile. */
type StopAsked = () => StopReason | undefined

function actOn(run: RunState, answer: Answer, report: Report, stop: StopAsked): Judged | Promise<Judged> {
  const decision = decideNow(run, report, stop, false, unreadKind(answer))
  return decision.action === 'repair' ? repairAnswer(run, answer, report, stop) : { decision, answer, found: report, report }
}

async function repairAnswer(run: RunState, answer: Answer, report: Report, stop: StopAsked): Promise<Judged> {
  const { contract, attempts, context, ports, clock, signal, executor, released } = run
  const { retries, mode } = contract.policy
  const lastResort = stop() !== undefined || attempts > retries || mode === 'lenient'
  const repaired = await repair(contract, answer, report, {
    context,
    ports,
    clock,
    signal,
    executor,
    protect: released.length,
    lastResort,
  })
  if (run.traced) {
    const { clean, certificates: repairs, fixed } = repaired
    run.trace({ run: run.name, at: run.elapsed, type: 'repaired', attempt: attempts, clean, repairs, fixed })
  }
  const decision = decideNow(run, repaired.report, stop, true)
  return { decision, answer: repaired.answer, found: report, report: repaired.report, repaired }
}

function decideNow(run: RunState, report: Report, stop: StopAsked, repairTried: boolean, kind?: Situation['kind']): Decision {
  const { attempts, contract, released } = run
  const decision = decide(report, contract.policy, { attempt: attempts, repairTried, shown: released !== '', stop: stop(), kind })
  const { action, reason } = decision
  if (action === 'retry') run.tally.claim(run)
  if (run.traced) run.trace({ run: run.name, at: run.elapsed, type: 'decided', attempt: attempts, action, reason })
  return decision
}

function traceChecked(run: RunState, { issues, unchecked }: Report, started: number): void {
  const ms = run.clock.now() - started
  run.trace({ run: run.name, at: run.elapsed, type: 'checked', attempt: run.attempts, issues, unchecked, ms })
}

function stopReason(run: RunState, unchanged: boolean, releasing: StreamRules['release'] | undefined): StopReason | undefined {
  if (releasing === 'pass') return 'already-shown'
  return run.tally.stopReason(run.contract.policy.budget) ?? (unchanged ? 'no-progress' : undefined)
}

/** What two attempts must differ in to count as progress. */
export function fingerprint({ text, toolCalls }: Answer, report: Report): string {
  return JSON.stringify([text, toolCalls, errorsOf(report).map(issueKey)])
}
