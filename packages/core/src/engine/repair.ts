import type { Answer } from '../answer/answer.ts'
import type { Certificate, RepairClass } from '../contract/certificate.ts'
import { type Contract, selectValidators } from '../contract/contract.ts'
import type { Issue } from '../contract/issue.ts'
import type { Policy } from '../contract/policy.ts'
import type { ActiveValidator } from '../contract/read-checks.ts'
import type { AllowedRepairs } from '../contract/validator.ts'
import { applyCertificates, type Repairable } from '../repairs/apply.ts'
import { type CheckOptions, check } from './check.ts'
import { CheckScope } from './check-scope.ts'
import { GivenSetting } from './check-setting.ts'
import { collectFindings } from './collect-findings.ts'
import { isTooComplex } from './complexity.ts'
import type { RepairResult, RepairTerms } from './repair-result.ts'
import { errorsOf, issueKey, type Report } from './report.ts'

export type { RepairResult } from './repair-result.ts'

/** Repairs that undo each other must end. */
const mostRounds = 16

/** What a repair may be told beside what a check is told. */
export interface RepairOptions extends CheckOptions, RepairTerms {}

/** Repairs an answer until nothing is left to repair, and checks it again; only a clean result counts. */
export async function repair(contract: Contract, answer: Answer, report: Report, options: RepairOptions = {}): Promise<RepairResult> {
  const elsewhere = options.executor?.repair(contract, answer, report, options)
  if (elsewhere !== undefined) return elsewhere
  const { validators } = selectValidators(contract, options.only)
  const applied: Certificate[] = []
  const stuck = new Set<string>()
  let current = answer
  let latest = report
  for (let round = 0; round < mostRounds && errorsOf(latest).length > 0; round++) {
    const next = nextToRepair(validators, latest, stuck)
    if (next === undefined) break
    const certificates = await proposeRepairs(contract, next, current, latest, options)
    const mended = certificates.length > 0 ? applyCertificates(current, certificates) : undefined
    if (mended === undefined || isUnchanged(current, mended)) {
      stuck.add(next.name)
      continue
    }
    // Not spread: there may be more of them than a call takes arguments.
    for (const certificate of certificates) applied.push(certificate)
    current = current.changed(mended.text, mended.toolCalls)
    latest = await check(contract, current, options)
  }
  return conclude(answer, report, current, latest, applied)
}

function nextToRepair(validators: readonly ActiveValidator[], report: Report, stuck: ReadonlySet<string>): ActiveValidator | undefined {
  const wrong = new Set(errorsOf(report).flatMap((issue) => (isTooComplex(issue) ? [] : [issue.validator])))
  return validators.find(({ name, prepared }) => prepared.repair && wrong.has(name) && !stuck.has(name))
}

async function proposeRepairs(
  contract: Contract,
  validator: ActiveValidator,
  answer: Answer,
  report: Report,
  options: RepairOptions,
): Promise<readonly Certificate[]> {
  const { policy } = contract
  const issues = errorsOf(report).filter((issue) => issue.validator === validator.name)
  const allowed = allowedRepairs(validator, policy.allow, options)
  const proposed = await collectFindings(
    validator,
    (context) => validator.prepared.repair?.(answer, issues, context, allowed) ?? [],
    new CheckScope(policy.locale, new GivenSetting(options)),
    policy.timeoutMs,
  )
  // A repair that crashed, or gave the answer up, has proposed nothing.
  if (!Array.isArray(proposed)) return []
  const certificates = proposed.filter((certificate) => allowed.now.includes(certificate.class))
  const touchesShown = certificates.some((certificate) => certificate.in === undefined && certificate.span.start < (options.protect ?? 0))
  return touchesShown ? [] : certificates
}

/** A contract that says what it allows is the ceiling, for whatever a validator or the caller would allow. */
function allowedRepairs({ prepared }: ActiveValidator, ceiling: Policy['allow'], options: RepairOptions): AllowedRepairs {
  const below = (classes: readonly RepairClass[]): readonly RepairClass[] =>
    ceiling === undefined ? classes : classes.filter((one) => ceiling.includes(one))
  const usual = below(options.allow ?? prepared.allow ?? ceiling ?? ['lossless'])
  const further = options.lastResort && options.allow === undefined ? below(prepared.lastResort ?? []) : []
  return { usual, now: [...usual, ...further] }
}

function conclude(answer: Answer, before: Report, repaired: Answer, after: Report, certificates: readonly Certificate[]): RepairResult {
  const left = new Set(after.issues.map(issueKey))
  // A repair that leaves nothing to see has answered nothing.
  const isBlank = !repaired.visible && repaired.toolCalls.length === 0
  const clean = certificates.length > 0 && errorsOf(after).length === 0 && !isBlank
  // The observed value in a message may have changed with the text; the complaint is the same.
  const complaints = new Set(errorsOf(after).map(complaintOf))
  const remaining = errorsOf(before).filter((issue) => complaints.has(complaintOf(issue)))
  if (!clean)
    return { clean, answer, report: before, certificates: [], fixed: [], remaining: remaining.length > 0 ? remaining : errorsOf(before) }
  return {
    clean,
    answer: repaired,
    report: after,
    certificates,
    fixed: before.issues.filter((issue) => !left.has(issueKey(issue))),
    remaining: [],
  }
}

function complaintOf({ validator, code, path }: Issue): string {
  return JSON.stringify([validator, code, path])
}

function isUnchanged(before: Repairable, after: Repairable): boolean {
  const same = (call: Repairable['toolCalls'][number], index: number): boolean =>
    call.name === before.toolCalls[index]?.name && call.arguments === before.toolCalls[index]?.arguments
  return before.text === after.text && before.toolCalls.length === after.toolCalls.length && after.toolCalls.every(same)
}
