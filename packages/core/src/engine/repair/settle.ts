import { Answer } from '../../answer/answer.ts'
import { withoutSecret } from '../../contract/certificate.ts'
import type { Contract } from '../../contract/contract.ts'
import { checkAgain } from '../check/check.ts'
import { type Report, valueFacts } from '../check/report.ts'
import { validationStatus } from '../check/validation-status.ts'
import { type Decision, decide } from '../decide/decide.ts'
import { rejectUnknown, requireAnswerText, requireContract } from '../known-options.ts'
import type { Narrowing, ValueIn } from '../results/value-in.ts'
import { statusOf } from '../status.ts'
import { needsEdits } from './needs-edits.ts'
import { type RepairOptions, type RepairResult, repair, repairOptions } from './repair.ts'
import type { Settled } from './settled.ts'

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
  const policy = { ...contract.policy, retries: 0 }
  const given = typeof answer === 'string' ? new Answer(answer) : answer
  const found = await checkAgain(contract, given, options)
  const decision = decide(found, policy, { attempt: 1, repairTried: false })
  const unchanged = { answer: given, report: found, certificates: [], fixed: [] }
  const isEdited = needsEdits(contract, found, decision)
  const terms = { ...options, lastResort: true, ...(isEdited && { edits: 'allowed' as const }) }
  const kept = decision.action === 'repair' || isEdited ? await repair(contract, given, found, terms) : unchanged
  const last = kept === unchanged ? decision : decide(kept.report, policy, { attempt: 1, repairTried: true })
  // The contract's check has made sure of the type.
  return settled(contract, found, last, kept) as Settled as Settled<ValueIn<Value, Context, Only>>
}

type Result = Pick<RepairResult, 'answer' | 'report' | 'certificates' | 'fixed'>

function settled(contract: Contract, found: Report, decision: Decision, { answer, report, certificates, fixed }: Result): Settled {
  const repairs = certificates.map(withoutSecret)
  const told = validationStatus(contract, report)
  const delivered = decision.action === 'deliver'
  const facts = delivered ? valueFacts(report) : undefined
  return {
    status: statusOf(report, repairs),
    decision,
    delivered,
    found,
    answer,
    ...(facts ? { value: facts.value } : {}),
    report,
    repairs,
    fixed,
    ...(told === undefined ? {} : { validationStatus: told }),
  } as Settled
}
