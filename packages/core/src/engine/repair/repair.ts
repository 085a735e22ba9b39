import type { Answer } from '../../answer/answer.ts'
import { allowedRepairs } from '../../contract/allowed-repairs.ts'
import { type Certificate, repairClasses } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import { applicable, type Contract, selectValidators } from '../../contract/contract.ts'
import type { Issue, Severity } from '../../contract/issue.ts'
import type { Policy } from '../../contract/policy.ts'
import type { AllowedRepairs } from '../../contract/validator.ts'
import { applyCertificates, type Repairable } from '../../repairs/apply.ts'
import { type CheckOptions, checkAgain } from '../check/check.ts'
import { CheckScope } from '../check/check-scope.ts'
import { GivenSetting } from '../check/check-setting.ts'
import { collectFindings } from '../check/collect-findings.ts'
import { isTooComplex } from '../check/complexity.ts'
import { hideChanged } from '../check/hide-quoted.ts'
import { errorsOf, issueKey, type Report } from '../check/report.ts'
import type { Decision } from '../decide/decide.ts'
import { checkOptions, type OptionNames, rejectUnknown, requireAnswerText, requireContract, requireReport } from '../option-names.ts'
import { conclude, fixedBetween, isBlank, type Progress, withRevealed } from './conclude.ts'
import type { RepairResult, RepairTerms } from './repair-result.ts'

export type { RepairResult } from './repair-result.ts'

/** Repairs that undo each other must end. */
const mostRounds = 16

/** What a repair may receive beyond the context of a check. */
export interface RepairOptions extends CheckOptions, RepairTerms {}

/** The options of `repair` and `settle`. */
export const repairOptions: OptionNames<RepairOptions> = { ...checkOptions, protect: true, allow: true, lastResort: true, edits: true }

/**
 * Repairs an answer until nothing is left to repair, and checks it again. Warnings are repaired as the contract allows. Only a clean result counts; without
 * one, the answer has the changes of validators that declare `edits`, as it would have on a stream.
 */
export async function repair(given: Contract, answer: Answer, report: Report, options: RepairOptions = {}): Promise<RepairResult> {
  requireContract(given)
  requireAnswerText(answer)
  requireReport(report)
  rejectUnknown(options, repairOptions)
  const contract = applicable(given, options.request)
  const elsewhere = options.executor?.repair(contract, answer, report, options)
  if (elsewhere !== undefined) return elsewhere
  const leftOut = outsideUnchecked(contract, report, options)
  if (leftOut.size === 0) return repairInPlace(contract, answer, report, options)
  const only = contract.validators.map(({ name }) => name).filter((name) => !leftOut.has(name) && (options.only?.includes(name) ?? true))
  return withUnchecked(await repairInPlace(contract, answer, report, { ...options, only }), report, leftOut)
}

/** Validators from outside that had no verdict would have none again, and would hold up the repairs of the others. */
function outsideUnchecked({ validators }: Contract, { unchecked }: Report, { executor }: RepairOptions): ReadonlySet<string> {
  if (executor === undefined || unchecked.length === 0) return new Set()
  const names = new Set(unchecked.map(({ validator }) => validator))
  return new Set(validators.flatMap((one) => (names.has(one.name) && !executor.allowsStream(one) ? [one.name] : [])))
}

/** What was left out of a repair is as unchecked as it was before. */
function withUnchecked(result: RepairResult, before: Report, names: ReadonlySet<string>): RepairResult {
  if (result.certificates.length === 0) return result
  const again = before.unchecked.filter(({ validator }) => names.has(validator))
  return { ...result, report: { ...result.report, unchecked: [...result.report.unchecked, ...again] } }
}

async function repairInPlace(contract: Contract, answer: Answer, report: Report, options: RepairOptions): Promise<RepairResult> {
  const validators = editorsFirst(selectValidators(contract, options.only).validators)
  if (options.edits !== undefined) return await makeEdits(contract, validators, answer, report, options)
  const right = await repairIssues(contract, validators, { answer, report, certificates: [] }, 'error', options)
  const all = errorsOf(right.report).length > 0 ? right : await repairIssues(contract, validators, right, 'warning', options)
  const result = conclude(validators, answer, report, all)
  if (result.clean || !validators.some(({ prepared }) => prepared.edits !== undefined)) return result
  const { remaining } = result
  const edited = await makeEdits(contract, validators, answer, report, { ...options, edits: 'allowed' })
  return { ...edited, report: withRevealed(edited.report, remaining), remaining }
}

/** As on a stream, where the changes of these are made to the text that all others read. */
function editorsFirst(validators: readonly ActiveValidator[]): readonly ActiveValidator[] {
  const edits = ({ prepared }: ActiveValidator): boolean => prepared.edits !== undefined
  return validators.some(edits) ? [...validators.filter(edits), ...validators.filter((one) => !edits(one))] : validators
}

/** Makes the changes that do not depend on what else is wrong. */
async function makeEdits(
  contract: Contract,
  validators: readonly ActiveValidator[],
  answer: Answer,
  report: Report,
  options: RepairOptions,
): Promise<RepairResult> {
  const editing = validators.filter(({ prepared }) => (options.edits === 'secrets' ? prepared.secret : prepared.edits !== undefined))
  const made = await repairIssues(contract, editing, { answer, report, certificates: [] }, undefined, options)
  const result = conclude(validators, answer, report, made)
  if (result.clean || made.certificates.length === 0) return result
  const { answer: edited, certificates } = made
  // An answer of which nothing is left is as wrong as it was.
  if (isBlank(edited)) return { ...result, answer: edited, certificates }
  return { ...result, answer: edited, certificates, report: made.report, fixed: fixedBetween(report, made.report) }
}

async function repairIssues(
  contract: Contract,
  validators: readonly ActiveValidator[],
  start: Progress,
  severity: Severity | undefined,
  options: RepairOptions,
): Promise<Progress> {
  const stuck = new Set<string>()
  let current = start
  for (let round = 0; round < mostRounds; round++) {
    const next = nextToRepair(validators, current.report, severity, stuck)
    if (next === undefined) break
    const certificates = await proposeRepairs(contract, next, current, severity, options)
    const isRefused = next.prepared.asksForCall && errorsOf(current.report).some(({ validator }) => validator !== next.name)
    const isCall = certificates.some(({ calls }) => calls !== undefined)
    const changed = certificates.length > 0 && !(isRefused && isCall) ? applyCertificates(current.answer, certificates) : undefined
    if (changed === undefined || isUnchanged(current.answer, changed)) {
      stuck.add(next.name)
      continue
    }
    const answer = current.answer.changed(changed.text, changed.toolCalls)
    const report = await checkAgain(contract, answer, options)
    // An answer that could be delivered must not get worse.
    if (severity !== 'warning' || isBetter(report, current.report))
      current = { answer, report, certificates: [...current.certificates, ...shownOf(contract, current, certificates)] }
    else stuck.add(next.name)
  }
  return current
}

/** Changes to a text as they may be shown: they quote no secret that was found in it. */
function shownOf({ validators }: Contract, { answer, report }: Progress, certificates: readonly Certificate[]): readonly Certificate[] {
  return hideChanged(validators, answer.text, certificates, report.issues)
}

function isBetter(after: Report, before: Report): boolean {
  const known = new Set(before.issues.map(issueKey))
  const isKnown = (issue: Issue): boolean => known.has(issueKey(issue))
  return after.issues.length < before.issues.length && after.issues.every(isKnown) && after.unchecked.length <= before.unchecked.length
}

function nextToRepair(
  validators: readonly ActiveValidator[],
  report: Report,
  severity: Severity | undefined,
  stuck: ReadonlySet<string>,
): ActiveValidator | undefined {
  const wrong = new Set(report.issues.flatMap((issue) => (isOf(issue, severity) && !isTooComplex(issue) ? [issue.validator] : [])))
  return validators.find(({ name, prepared }) => prepared.repair && wrong.has(name) && !stuck.has(name))
}

async function proposeRepairs(
  contract: Contract,
  validator: ActiveValidator,
  { answer, report }: Progress,
  severity: Severity | undefined,
  options: RepairOptions,
): Promise<readonly Certificate[]> {
  const { policy } = contract
  const { edits, protect = 0 } = options
  const issues = report.issues.filter((issue) => isOf(issue, severity) && issue.validator === validator.name)
  const allowed = allowedNow(validator, policy, severity, options)
  const proposed = await (options.executor?.propose?.(contract, validator, answer, issues, allowed, options) ??
    collectFindings(
      validator,
      (context) => validator.prepared.repair?.(answer, issues, context, allowed) ?? [],
      new CheckScope(policy.locale, new GivenSetting(options)),
      policy.timeoutMs,
    ))
  // A repair that crashed, or gave the answer up, has proposed nothing.
  if (!Array.isArray(proposed)) return []
  const touchesShown = ({ in: part, span }: Certificate): boolean => part === undefined && span.start < protect
  if (edits !== undefined) return proposed.filter((one) => !touchesShown(one) && isEdit(one, validator, edits, allowed))
  const certificates = proposed.filter((certificate) => allowed.now.includes(certificate.class))
  return certificates.some(touchesShown) ? [] : certificates
}

function isEdit(
  { class: kind, secret }: Certificate,
  { prepared }: ActiveValidator,
  edits: NonNullable<RepairOptions['edits']>,
  { usual }: AllowedRepairs,
): boolean {
  return edits === 'secrets' ? secret === true : [prepared.edits].flat().includes(kind) && usual.includes(kind)
}

function isOf(issue: Issue, severity: Severity | undefined): boolean {
  return severity === undefined || issue.severity === severity
}

function allowedNow(validator: ActiveValidator, policy: Policy, severity: Severity | undefined, options: RepairOptions): AllowedRepairs {
  if (options.edits === 'secrets') return { usual: repairClasses, now: repairClasses }
  const allowed = allowedRepairs(validator.prepared, policy, options)
  // A warning lets an answer out as it is: nothing is a last resort.
  return severity === 'warning' ? { ...allowed, now: allowed.usual } : allowed
}

function isUnchanged(before: Repairable, after: Repairable): boolean {
  const same = (call: Repairable['toolCalls'][number], index: number): boolean =>
    call.name === before.toolCalls[index]?.name && call.arguments === before.toolCalls[index]?.arguments
  return before.text === after.text && before.toolCalls.length === after.toolCalls.length && after.toolCalls.every(same)
}

/** Whether an answer that is delivered or given up without a repair, such as one that was cut off, must still be edited. */
export function needsEdits({ validators, policy }: Contract, { issues }: Report, { action, reason }: Decision): boolean {
  if (action === 'retry' || action === 'repair' || reason === 'shadow' || policy.repair === 'never') return false
  return validators.some(({ name, prepared }) => {
    const { edits } = prepared
    const { usual } = allowedRepairs(prepared, policy)
    if (edits === undefined || ![edits].flat().some((kind) => usual.includes(kind))) return false
    const isDue = ({ severity }: Issue): boolean => severity === 'error' || policy.repair === 'first'
    return issues.some((issue) => issue.validator === name && isDue(issue) && !isTooComplex(issue))
  })
}
