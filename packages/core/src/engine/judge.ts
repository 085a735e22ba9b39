import type { Answer } from '../answer/answer.ts'
import type { Received } from './attempt.ts'
import { overBudget } from './budget.ts'
import { check } from './check.ts'
import { type Decision, decide, type StopReason } from './decide.ts'
import { type RepairResult, repair } from './repair.ts'
import { errorsOf, issueKey, type Report } from './report.ts'
import type { RunState } from './run-state.ts'
import type { StreamRules } from './stream.ts'

/** What has been found out about an answer, and what to do with it. */
export interface Judged {
  readonly decision: Decision
  readonly answer: Answer
  /** On the answer as it is delivered. */
  readonly report: Report
  readonly repaired?: RepairResult
}

/** Checks an answer, decides on it, and repairs it where that is the cheapest sound action. */
export async function judge(
  run: RunState,
  received: Received,
  previous: string | undefined,
  releasing: StreamRules['release'] | undefined,
): Promise<Judged> {
  const { contract, attempts } = run
  const { answer } = received
  const started = run.clock.now()
  const report = received.verdict ?? (await check(contract, answer, run.checkOptions))
  run.trace({ type: 'checked', attempt: attempts, issues: report.issues, unchecked: report.unchecked, ms: run.clock.now() - started })
  // Of an answer that was stopped only the beginning is known, so nobody can tell whether the rest was new.
  const isUnchanged = previous !== undefined && received.verdict === undefined && fingerprint(answer, report) === previous
  const stop = stopReason(run, isUnchanged, releasing)
  const situation = { attempt: attempts, stop, shown: run.released !== '' }
  const decision = decide(report, contract.policy, { ...situation, repairTried: false })
  run.trace({ type: 'decided', attempt: attempts, ...decision })
  if (decision.action !== 'repair') return { decision, answer, report }

  const repaired = await repair(contract, answer, report, {
    ...run.checkOptions,
    protect: run.released.length,
    lastResort: stop !== undefined || attempts > contract.policy.retries || contract.policy.mode === 'lenient',
  })
  run.trace({ type: 'repaired', attempt: attempts, clean: repaired.clean, repairs: repaired.certificates, fixed: repaired.fixed })
  const second = decide(repaired.report, contract.policy, { ...situation, repairTried: true })
  run.trace({ type: 'decided', attempt: attempts, ...second })
  return { decision: second, answer: repaired.answer, report: repaired.report, repaired }
}

function stopReason(run: RunState, unchanged: boolean, releasing: StreamRules['release'] | undefined): StopReason | undefined {
  if (releasing === 'pass') return 'already-shown'
  return overBudget(run.contract.policy.budget, run.spent) ?? (unchanged ? 'no-progress' : undefined)
}

/** What two attempts must differ in to count as progress. */
export function fingerprint({ text, toolCalls }: Answer, report: Report): string {
  return JSON.stringify([text, toolCalls, errorsOf(report).map(issueKey)])
}
