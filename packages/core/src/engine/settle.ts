import { Answer } from '../answer/answer.ts'
import type { Certificate } from '../contract/certificate.ts'
import type { Contract } from '../contract/contract.ts'
import type { Issue } from '../contract/issue.ts'
import { check } from './check.ts'
import { type Decision, decide } from './decide.ts'
import { type RepairOptions, repair } from './repair.ts'
import type { Report } from './report.ts'
import { type Status, statusOf } from './status.ts'

/** What becomes of an answer when no model can be asked again. */
export interface Settled {
  readonly status: Exclude<Status, 'failed'>
  /** What the enforcement loop would do with the answer in the end. */
  readonly decision: Decision
  /** On the answer as it was given. */
  readonly found: Report
  /** The answer as it would be delivered. */
  readonly answer: Answer
  /** On the answer as it would be delivered. */
  readonly report: Report
  readonly repairs: readonly Certificate[]
  /** What was wrong and has been repaired. */
  readonly fixed: readonly Issue[]
}

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
