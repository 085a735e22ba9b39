import { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import { applicable, type Contract, selectValidators } from '../../contract/contract.ts'
import { type Fact, type Finding, type Issue, type IssueDraft, isCode } from '../../contract/issue.ts'
import { setOwn } from '../../json/json-value.ts'
import { checkOptions, rejectUnknown, requireAnswerText, requireContract } from '../option-names.ts'
import { Result } from '../results/result.ts'
import type { ResultOf } from '../results/result-methods.ts'
import type { Narrowing, ValueIn } from '../results/typed-value.ts'
import { type MaybePromise, whenReady } from '../waiting/deferred.ts'
import { type CheckOptions, type CheckSetting, GivenSetting } from './check-setting.ts'
import { collectAll, type LiveChecks } from './collect-findings.ts'
import { complexityIssue, isTooComplex } from './complexity.ts'
import { hideQuoted, hideUnchecked, secretValidators } from './hide-quoted.ts'
import { type Collected, hasErrors, type Report, statusOf, type Unchecked, valueFacts } from './report.ts'
import { endIssues, uncheckedEnd } from './truncation.ts'
import { isUnread, uncheckedParts } from './unreadable-content.ts'

export type { StopSignal } from '../stop.ts'
export type { CheckOptions } from './check-setting.ts'

/** Checks an answer against a contract; validators run in parallel, and one that cannot run leaves the others alone. */
export async function check<
  Value = unknown,
  const Context extends Readonly<Record<string, unknown>> = Readonly<Record<never, never>>,
  const Only extends readonly string[] = never,
>(
  contract: Contract<Value>,
  answer: Answer | string,
  options: CheckOptions & Narrowing<Context, Only> = {},
): Promise<CheckedReport<ValueIn<Value, Context, Only>>> {
  requireContract(contract)
  requireAnswerText(answer)
  rejectUnknown(options, checkOptions)
  const given = typeof answer === 'string' ? new Answer(answer) : answer
  const report = await checkAgain(contract, given, options)
  const read = valueFacts(report)
  const value = read ? { value: read.value } : {}
  const result = Object.assign(new Result(statusOf(report, [])), { text: given.text, ...value, repairs: [] }, report)
  // The validators have made sure of the type.
  return result as CheckedReport as CheckedReport<ValueIn<Value, Context, Only>>
}

/** Checks an answer with options that have been looked at already. */
export async function checkAgain(contract: Contract, answer: Answer, options: CheckOptions): Promise<Report> {
  return runChecks(applicable(selectValidators(contract, options.only), options.request), answer, new GivenSetting(options))
}

/** Runs all checks of a contract; the report is there at once when no validator has to wait for something. */
export function runChecks(contract: Contract, answer: Answer, setting: CheckSetting, live?: LiveChecks): MaybePromise<Report> {
  // An answer without readable content cannot be wrong.
  if (isUnread(answer)) return reportOf(contract, answer, [])
  return whenReady(collectAll(contract, answer, setting, live), (collected) => reportOf(contract, answer, collected))
}

function reportOf({ validators, policy, skipped }: Contract, answer: Answer, results: readonly Collected<Finding>[]): Report {
  const issues: Issue[] = endIssues(answer, policy)
  const unchecked: Unchecked[] = [...uncheckedEnd(answer, secretValidators(validators).size === 0), ...uncheckedParts(answer)]
  const facts: Record<string, Record<string, unknown>> = {}
  const isCut = issues.some(({ code, severity }) => code === 'TRUNCATED' && severity === 'error')
  let index = 0
  for (const result of results) {
    const validator = validators[index++] as ActiveValidator
    if ('tooComplex' in result) issues.push(complexityIssue(validator, result, policy.locale))
    else if ('cause' in result) {
      const { facts: learnt = [], ...cause } = result
      unchecked.push(withSeverity(validator, cause))
      sortFindings(validator, learnt, issues, facts)
    } else if (!result.every((finding) => isFinding(validator, finding))) unchecked.push(withSeverity(validator, notAFinding(validator)))
    else sortFindings(validator, isCut ? result.filter((finding) => !repeatsCut(finding)) : result, issues, facts)
  }
  return {
    issues: hideQuoted(validators, answer.text, issues),
    unchecked: hideUnchecked(validators, answer.text, unchecked, issues),
    facts,
    repairable: isRepairable(validators, issues),
    ...(skipped && { skipped }),
  }
}

/** Whether a finding says only that the answer was cut off, and not which part of it. */
function repeatsCut(finding: Finding): boolean {
  return finding.kind === 'issue' && finding.code === 'TRUNCATED' && finding.path === undefined
}

/** Completes a draft with the validator's name and the severity of its code, unless the contract says another. */
export function completeIssue({ name, definition, severity }: ActiveValidator, { kind: _kind, ...draft }: IssueDraft): Issue {
  return { severity: definition.codes[draft.code]?.severity ?? 'error', ...draft, ...(severity && { severity }), validator: name }
}

/** A check that only warns cannot leave an answer unchecked. */
function withSeverity({ severity }: ActiveValidator, unchecked: Unchecked): Unchecked {
  return severity === undefined ? unchecked : { ...unchecked, severity }
}

/** Findings come from the users' own code, which need not keep to their type. */
function isFinding({ definition, prepared }: ActiveValidator, finding: unknown): finding is Finding {
  if (typeof finding !== 'object' || finding === null || !('kind' in finding)) return false
  const { kind, code, message, name } = finding as { kind: unknown; code?: unknown; message?: unknown; name?: unknown }
  if (kind === 'fact') return typeof name === 'string'
  return kind === 'issue' && typeof code === 'string' && hasCode(definition, prepared, code) && typeof message === 'string'
}

/** Codes of others are held to the form of our own, since they become labels and parts of messages. */
function hasCode({ codes, openCodes }: ActiveValidator['definition'], { codes: own }: ActiveValidator['prepared'], code: string): boolean {
  return Object.hasOwn(codes, code) || own?.includes(code) === true || (openCodes === true && isCode(code))
}

function notAFinding({ name }: ActiveValidator): Unchecked {
  return { validator: name, cause: 'crash', message: 'yielded something that is neither a fact nor an issue with one of its codes' }
}

function sortFindings(
  validator: ActiveValidator,
  findings: readonly Finding[],
  issues: Issue[],
  facts: Record<string, Record<string, unknown>>,
): void {
  for (const finding of findings) {
    if (finding.kind === 'issue') issues.push(completeIssue(validator, finding))
    else addFact(facts, validator.name, finding)
  }
}

function addFact(facts: Record<string, Record<string, unknown>>, validator: string, { name, value }: Fact): void {
  const known = Object.hasOwn(facts, validator) ? facts[validator] : undefined
  const own = known ?? {}
  setOwn(own, name, value)
  if (known === undefined) setOwn(facts, validator, own)
}

/** Whether a validator knows a repair for what is wrong: for an error, or where there is none, for a warning. */
function isRepairable(validators: readonly ActiveValidator[], issues: readonly Issue[]): boolean {
  if (issues.length === 0) return false
  const severity = hasErrors({ issues }) ? 'error' : 'warning'
  const knowsRepair = (wanted: string): boolean => validators.some(({ name, prepared }) => name === wanted && Boolean(prepared.repair))
  return issues.some((issue) => issue.severity === severity && !isTooComplex(issue) && knowsRepair(issue.validator))
}

/** What every checked answer has; names that an `Outcome` has too mean the same. */
interface CheckedBase extends Report {
  /** The answer's text, which a check does not change. */
  readonly text: string
  /** Empty: a check repairs nothing. */
  readonly repairs: readonly Certificate[]
}

/** An answer that keeps the contract. */
export interface KeptReport extends CheckedBase {
  readonly status: 'valid'
}

/** An answer that breaks the contract, or could not be checked in full. */
export interface OpenReport extends CheckedBase {
  readonly status: 'unresolved' | 'unchecked'
}

/** What `check` finds, discriminated by `status` as in an `Outcome`. */
export type CheckedReport<Value = unknown> = ResultOf<KeptReport, OpenReport, Value>
