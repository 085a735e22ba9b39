import { Answer } from '../answer/answer.ts'
import type { Contract } from '../contract/contract.ts'
import { check } from './check.ts'
import { decide } from './decide.ts'
import { type RepairOptions, repair } from './repair.ts'
import type { Settled } from './settled.ts'
import { statusOf } from './status.ts'

export { certificateData, type Settled, settledData } from './settled.ts'

/** Checks a given answer and repairs it where the contract allows that: the enforcement loop without a model to ask again. */
export async function settle(contract: Contract, answer: Answer | string, options: RepairOptions = {}): Promise<Settled> {
  const policy = { ...contract.policy, retries: 0 }
  const given = typeof answer === 'string' ? new Answer(answer) : answer
  const found = await check(contract, given, options)
  const decision = decide(found, policy, { attempt: 1, repairTried: false })
  if (decision.action !== 'repair')
    return { status: statusOf(found, []), decision, found, answer: given, report: found, repairs: [], fixed: [] }
  const { answer: repaired, report, certificates, fixed } = await repair(contract, given, found, { ...options, lastResort: true })
  const second = decide(report, policy, { attempt: 1, repairTried: true })
  return { status: statusOf(report, certificates), decision: second, found, answer: repaired, report, repairs: certificates, fixed }
}
