import { Answer } from '../../answer/answer.ts'
import type { Contract } from '../../contract/contract.ts'
import { checkAgain } from '../check/check.ts'
import type { Report } from '../check/report.ts'
import { validationStatus } from '../check/validation-status.ts'
import { type Decision, decide } from '../decide/decide.ts'
import { rejectUnknown } from '../known-options.ts'
import { statusOf } from '../status.ts'
import { type RepairOptions, type RepairResult, repair, repairOptions } from './repair.ts'
import type { Settled } from './settled.ts'

export { certificateData, type Settled, settledData } from './settled.ts'

/** Checks a given answer and repairs it where the contract allows that: the enforcement loop without a model to ask again. */
export async function settle(contract: Contract, answer: Answer | string, options: RepairOptions = {}): Promise<Settled> {
  rejectUnknown(options, repairOptions)
  const policy = { ...contract.policy, retries: 0 }
  const given = typeof answer === 'string' ? new Answer(answer) : answer
  const found = await checkAgain(contract, given, options)
  const decision = decide(found, policy, { attempt: 1, repairTried: false })
  if (decision.action !== 'repair') return settled(contract, found, decision, { answer: given, report: found, certificates: [], fixed: [] })
  const repaired = await repair(contract, given, found, { ...options, lastResort: true })
  return settled(contract, found, decide(repaired.report, policy, { attempt: 1, repairTried: true }), repaired)
}

type Result = Pick<RepairResult, 'answer' | 'report' | 'certificates' | 'fixed'>

function settled(contract: Contract, found: Report, decision: Decision, { answer, report, certificates: repairs, fixed }: Result): Settled {
  const status = statusOf(report, repairs)
  const told = validationStatus(contract, report)
  const delivered = decision.action === 'deliver'
  return { status, decision, delivered, found, answer, report, repairs, fixed, ...(told === undefined ? {} : { validationStatus: told }) }
}
