import { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Fact, Finding } from '../../contract/issue.ts'
import { CheckScope } from '../check/check-scope.ts'
import { type CheckOptions, GivenSetting } from '../check/check-setting.ts'
import { collectAll, collectFindings } from '../check/collect-findings.ts'
import type { Collected, Report } from '../check/report.ts'
import { repair } from '../repair/repair.ts'
import type { AnswerJob, CheckJob, JobResult, ProposeJob, RepairData, RepairJob } from './job.ts'

/** Performs a job with the validators that its checks describe. */
export async function perform(
  job: AnswerJob,
  validators: readonly ActiveValidator[],
  options: Pick<CheckOptions, 'ports' | 'clock' | 'signal'>,
): Promise<JobResult> {
  const { text, ...parts } = job.answer
  const answer = new Answer(text, parts)
  const contract: Contract = { validators: job.run.map((index) => validators[index] as ActiveValidator), policy: job.policy }
  const known = { ...options, context: job.context }
  if (job.kind === 'propose') return { kind: 'propose', proposed: await performProposal(job, contract, answer, known) }
  if (job.kind === 'repair') return { kind: 'repair', repair: await performRepair(job, contract, answer, known) }
  return { kind: 'check', collected: await performCheck(job, contract, answer, known) }
}

async function performProposal(
  job: ProposeJob,
  { validators, policy }: Contract,
  answer: Answer,
  options: CheckOptions,
): Promise<Collected<Certificate>> {
  const [validator] = validators as [ActiveValidator]
  return collectFindings(
    validator,
    (context) => validator.prepared.repair?.(answer, job.issues, context, job.allowed) ?? [],
    new CheckScope(policy.locale, new GivenSetting(options)),
    policy.timeoutMs,
  )
}

async function performCheck(
  job: CheckJob,
  contract: Contract,
  answer: Answer,
  options: CheckOptions,
): Promise<readonly Collected<Finding>[]> {
  const collected = await collectAll(contract, answer, new GivenSetting(options))
  return job.values ? collected : collected.map(withoutValue)
}

async function performRepair(job: RepairJob, contract: Contract, answer: Answer, options: CheckOptions): Promise<RepairData> {
  const { protect, allow, lastResort, edits, values, mostRepairs } = job
  const result = await repair(contract, answer, job.report, {
    ...options,
    ...(protect === undefined ? {} : { protect }),
    ...(allow === undefined ? {} : { allow }),
    ...(lastResort === undefined ? {} : { lastResort }),
    ...(edits === undefined ? {} : { edits }),
  })
  const { clean, answer: repaired, fixed, remaining } = result
  if (result.certificates.length === 0) return { remaining }
  const report = values ? result.report : { ...result.report, facts: factsWithoutValue(result.report.facts) }
  const certificates = result.certificates.slice(0, mostRepairs)
  const toolCalls = repaired.toolCalls === answer.toolCalls ? {} : { toolCalls: repaired.toolCalls }
  return { repaired: { clean, text: repaired.text, ...toolCalls, report, certificates, fixed }, remaining }
}

/** The fact stays, so that the outcome has a value where it had one. */
function withoutValue(collected: Collected<Finding>): Collected<Finding> {
  if ('cause' in collected || 'tooComplex' in collected) return collected
  return collected.map((finding) => (isValue(finding) ? { ...finding, value: undefined } : finding))
}

/** What a validator yields need not keep to its type. */
function isValue(finding: unknown): finding is Fact {
  const { kind, name } = (finding ?? {}) as { kind?: unknown; name?: unknown }
  return kind === 'fact' && name === 'value'
}

function factsWithoutValue(facts: Report['facts']): Report['facts'] {
  return Object.fromEntries(
    Object.entries(facts).map(([validator, own]) => [validator, Object.hasOwn(own, 'value') ? { ...own, value: undefined } : own]),
  )
}
