import { Answer } from '../../answer/answer.ts'
import type { Contract } from '../../contract/contract.ts'
import { checkAgain } from '../check/check.ts'
import { withoutSecrets } from '../check/hide-quoted.ts'
import { type Report, statusOf, valueFacts } from '../check/report.ts'
import { unreadKind } from '../check/unreadable-content.ts'
import { noUsage, overBudget } from '../decide/budget.ts'
import { type Decision, decide } from '../decide/decide.ts'
import { rejectUnknown, requireAnswerText, requireContract } from '../option-names.ts'
import { Result, validationStatus } from '../results/result.ts'
import type { Narrowing, ValueIn } from '../results/typed-value.ts'
import type { Usage } from '../runner.ts'
import { needsEdits, type RepairOptions, type RepairResult, repair, repairOptions } from './repair.ts'
import type { Settled, SettledBase } from './settled.ts'

export { certificateData, type Settled, settledData } from './settled.ts'

/** Checks a given answer and repairs it where the contract allows that: the enforcement loop without a model to ask again. */
export async function settle<
  Value = unknown,
  const Context extends Readonly<Record<string, unknown>> = Readonly<Record<never, never>>,
  const Only extends readonly string[] = never,
>(
  contract: Contract<Value>,
  answer: Answer | string,
  options: RepairOptions & Narrowing<Context, Only> = {},
): Promise<Settled<ValueIn<Value, Context, Only>>> {
  requireContract(contract)
  requireAnswerText(answer)
  rejectUnknown(options, repairOptions)
  const { found, decision, kept } = await settleAnswer(contract, typeof answer === 'string' ? new Answer(answer) : answer, options)
  const { answer: settled, report, certificates, fixed } = kept
  const { issues, unchecked, facts } = report
  const repairs = withoutSecrets(certificates)
  const told = validationStatus(contract, report)
  const delivered = decision.action === 'deliver'
  const read = delivered ? valueFacts(report) : undefined
  const result = Object.assign(new Result(statusOf(report, repairs)), {
    decision,
    delivered,
    found,
    text: settled.text,
    toolCalls: settled.toolCalls,
    ...(read ? { value: read.value } : {}),
    issues,
    fixed,
    repairs,
    unchecked,
    facts,
    ...(found.skipped && { skipped: found.skipped }),
    ...(told === undefined ? {} : { validationStatus: told }),
  })
  // The contract's check has made sure of the type.
  return result as Settled as Settled<ValueIn<Value, Context, Only>>
}

/** An answer, what was found in it, and what it has become. */
export interface SettledAnswer {
  readonly found: Report
  readonly decision: Decision
  readonly kept: Pick<RepairResult, 'answer' | 'report' | 'certificates' | 'fixed'>
}

/** Settles an answer with options that have been looked at already. */
export async function settleAnswer(contract: Contract, answer: Answer, options: RepairOptions): Promise<SettledAnswer> {
  const policy = { ...contract.policy, retries: 0 }
  const found = await checkAgain(contract, answer, options)
  const decision = decide(found, policy, { attempt: 1, repairTried: false })
  const isEdited = needsEdits(contract, found, decision)
  if (decision.action !== 'repair' && !isEdited) return { found, decision, kept: { answer, report: found, certificates: [], fixed: [] } }
  const kept = await repair(contract, answer, found, { ...options, lastResort: true, ...(isEdited && { edits: 'allowed' as const }) })
  return { found, decision: decide(kept.report, policy, { attempt: 1, repairTried: true }), kept }
}

/** The status of a settled answer as a first attempt: one that would be asked for again is not good enough. */
export function statusAsFirst({ status }: Pick<Settled, 'status'>, { action }: Pick<Decision, 'action'>): Settled['status'] {
  return action === 'retry' ? 'unresolved' : status
}

/** What the enforcement loop would do with a settled answer if it were a first attempt: `settle` decides as if no retry were left. */
export async function firstDecision(
  contract: Contract,
  answer: Answer,
  { found, issues, unchecked }: Pick<SettledBase, 'found' | 'issues' | 'unchecked'>,
  { usage = noUsage, ...options }: RepairOptions & { readonly usage?: Usage } = {},
): Promise<Decision> {
  const { policy, validators } = contract
  const stop = overBudget(policy.budget, { attempts: 1, total: usage, last: usage })
  const decision = decide(found, policy, { attempt: 1, repairTried: false, kind: unreadKind(answer), stop })
  if (decision.action !== 'repair') return decision
  const isLast = stop !== undefined || policy.retries === 0 || policy.mode === 'lenient'
  // A first attempt is not repaired by the last resort.
  const isSame = isLast || !validators.some(({ prepared }) => (prepared.lastResort?.length ?? 0) > 0)
  const report = isSame ? { issues, unchecked, repairable: false } : (await repair(contract, answer, found, options)).report
  return decide(report, policy, { attempt: 1, repairTried: true, stop })
}
