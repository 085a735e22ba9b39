import type { Answer } from '../answer/answer.ts'
import type { Certificate } from '../contract/certificate.ts'
import type { Issue } from '../contract/issue.ts'
import type { Edited, Received } from './attempt/attempt.ts'
import { runChecks } from './check/check.ts'
import { hideChanged, withoutSecrets } from './check/hide-quoted.ts'
import { errorsOf, hasErrors, issueKey, type Report } from './check/report.ts'
import { isTruncated } from './check/truncation.ts'
import { unreadKind } from './check/unreadable-content.ts'
import { type Decision, decide, type Situation, type StopReason } from './decide/decide.ts'
import { complaintOf } from './repair/conclude.ts'
import { needsEdits, type RepairOptions, type RepairResult, repair } from './repair/repair.ts'
import type { RunState } from './run-state.ts'
import { hideSecrets, mayFindSecrets } from './secret-masking.ts'
import type { StreamRules } from './stream/stream.ts'
import { type MaybePromise, whenReady } from './waiting/deferred.ts'

/** What has been found out about an answer, and what to do with it. */
export interface Judged {
  readonly decision: Decision
  readonly answer: Answer
  /** On the answer as it was received. */
  readonly found: Report
  /** On the answer as it is delivered. */
  readonly report: Report
  readonly repaired?: RepairResult
  /** In the order of the validators, for each of which what only the model can correct comes first, where that is known. */
  readonly toCorrect?: readonly Issue[]
  /** Changes that `answer` holds and that were made while it came. */
  readonly edits?: readonly Certificate[]
  /** The rejected answer as shown to the model, when it may contain secrets. */
  readonly rejected?: string
}

/** Checks an answer, decides on it, and repairs it where that is the cheapest sound action; at once where nothing has to be waited for. */
export function judge(run: RunState, received: Received, releasing: StreamRules['release'] | undefined): MaybePromise<Judged> {
  return received.edited ? judgeEdited(run, received, received.edited, releasing) : judgeReceived(run, received, releasing)
}

/** Judges an answer that was edited while it came: what was shown should be what a repair of the whole answer makes. */
async function judgeEdited(
  run: RunState,
  received: Received,
  { answer, certificates: edits }: Edited,
  releasing: StreamRules['release'] | undefined,
): Promise<Judged> {
  if (received.verdict) return { ...(await judgeReceived(run, received, releasing)), edits }
  const started = run.traced ? run.clock.now() : 0
  const found = await runChecks(run.contract, received.answer, run)
  const terms = repairOptions(run, undefined, 0)
  const isCut = found.issues.some(isTruncated)
  const repaired = await repair(run.contract, received.answer, found, isCut ? { ...terms, edits: 'allowed' } : terms)
  if (repaired.certificates.length === 0 || !repaired.answer.text.startsWith(run.released)) {
    // Another repair came before: what was shown stays, and the rest is judged after it.
    const shown = hideChanged(run.contract.validators, received.answer.text, edits, found.issues)
    return { ...(await judgeReceived(run, { ...received, answer }, releasing)), edits: shown }
  }
  const { told, rejected } = await hideSecrets(run, received.answer, found)
  received.tell?.(told)
  if (run.traced) traceChecked(run, found, started)
  traceRepaired(run, repaired)
  const isUnchanged = run.attempts > 1 && !repaired.clean && run.tally.wasRejected(fingerprint(answer, found))
  const decision = decideNow(run, repaired.report, () => stopReason(run, isUnchanged, releasing), true)
  return { decision, answer: repaired.answer, found, report: repaired.report, repaired, toCorrect: repaired.remaining, rejected }
}

function judgeReceived(run: RunState, received: Received, releasing: StreamRules['release'] | undefined): MaybePromise<Judged> {
  // Only the trace reports the duration.
  const started = run.traced ? run.clock.now() : 0
  const report = received.verdict ?? runChecks(run.contract, received.answer, run, received.live)
  const decideOn = (ready: Report): MaybePromise<Judged> => {
    if (mayFindSecrets(run)) return hide(ready)
    return decideNext(ready)
  }
  const hide = async (ready: Report): Promise<Judged> => {
    const { told, rejected } = await hideSecrets(run, received.answer, received.known ? { ...ready, issues: received.known } : ready)
    received.tell?.(told)
    return { ...(await decideNext(ready)), rejected }
  }
  const decideNext = (ready: Report): MaybePromise<Judged> => {
    if (run.traced) traceChecked(run, ready, started)
    // Of an answer that was stopped the beginning counts: what follows it was not asked for.
    const isUnchanged = run.attempts > 1 && hasErrors(ready) && run.tally.wasRejected(fingerprint(received.answer, ready))
    return actOn(run, received.answer, ready, () => stopReason(run, isUnchanged, releasing))
  }
  return whenReady(report, decideOn)
}

/** Asked at the moment of the decision: runs that share the budget decide meanwhile. */
type StopAsked = () => StopReason | undefined

function actOn(run: RunState, answer: Answer, report: Report, stop: StopAsked): MaybePromise<Judged> {
  const decision = decideNow(run, report, stop, false, unreadKind(answer))
  if (decision.action === 'repair') return repairAnswer(run, answer, report, stop)
  if (decision.action === 'retry' && report.repairable && run.contract.policy.repair === 'last')
    return previewRepairs(run, answer, report, decision)
  return needsEdits(run.contract, report, decision)
    ? editAnswer(run, answer, report, decision)
    : { decision, answer, found: report, report }
}

async function editAnswer(run: RunState, answer: Answer, found: Report, decision: Decision): Promise<Judged> {
  const repaired = await repair(run.contract, answer, found, { ...repairOptions(run, undefined, run.released.length), edits: 'allowed' })
  traceRepaired(run, repaired)
  return { decision, answer: repaired.answer, found, report: repaired.report, repaired }
}

/** Looks past what will be repaired last: the model should hear at once of what no repair corrects. */
async function previewRepairs(run: RunState, answer: Answer, report: Report, decision: Decision): Promise<Judged> {
  const { remaining } = await repair(run.contract, answer, report, repairOptions(run, undefined, run.released.length))
  const known = new Set(remaining.map(complaintOf))
  const placeOf = (issue: Issue): number => run.contract.validators.findIndex(({ name }) => name === issue.validator)
  const others = errorsOf(report).filter((issue) => !known.has(complaintOf(issue)))
  return { decision, answer, found: report, report, toCorrect: [...remaining, ...others].sort((a, b) => placeOf(a) - placeOf(b)) }
}

async function repairAnswer(run: RunState, answer: Answer, report: Report, stop: StopAsked): Promise<Judged> {
  const repaired = await repair(run.contract, answer, report, repairOptions(run, stop(), run.released.length))
  traceRepaired(run, repaired)
  const decision = decideNow(run, repaired.report, stop, true)
  return { decision, answer: repaired.answer, found: report, report: repaired.report, repaired, toCorrect: repaired.remaining }
}

/** What a repair of this run receives; text before `protect` stays unchanged. */
function repairOptions(run: RunState, stop: StopReason | undefined, protect: number): RepairOptions {
  const { contract, attempts, context, ports, clock, signal, executor } = run
  const { retries, mode } = contract.policy
  const lastResort = stop !== undefined || attempts > retries || mode === 'lenient'
  return { context, ports, clock, signal, executor, protect, lastResort }
}

function traceRepaired(run: RunState, { clean, certificates, fixed, remaining }: RepairResult): void {
  if (!run.traced) return
  const repairs = withoutSecrets(certificates)
  run.trace({ run: run.name, at: run.elapsed, type: 'repaired', attempt: run.attempts, clean, repairs, fixed, remaining })
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
