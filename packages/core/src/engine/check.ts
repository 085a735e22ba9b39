import { Answer } from '../answer/answer.ts'
import { type Contract, selectValidators } from '../contract/contract.ts'
import type { Finding, Issue, IssueDraft } from '../contract/issue.ts'
import { type Clock, type Ports, systemClock } from '../contract/ports.ts'
import type { ActiveValidator } from '../contract/read-checks.ts'
import type { CheckContext } from '../contract/validator.ts'
import { collectFindings } from './collect-findings.ts'
import { errorsOf, type Report, type Unchecked } from './report.ts'
import { truncationOf } from './truncation.ts'

/** What a check may be given beside contract and answer. */
export interface CheckOptions {
  /** Given to validators, never to a model. */
  readonly context?: Readonly<Record<string, unknown>>
  readonly ports?: Ports
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** Names of the validators to run; all when absent, none when empty. */
  readonly only?: readonly string[]
}

/** Checks an answer against a contract; validators run in parallel, and one that cannot run leaves the others alone. */
export async function check(contract: Contract, answer: Answer | string, options: CheckOptions = {}): Promise<Report> {
  const { validators, policy } = selectValidators(contract, options.only)
  const read = typeof answer === 'string' ? new Answer(answer) : answer
  const context = checkContext(contract, options)
  const clock = options.clock ?? systemClock
  const results = await Promise.all(
    validators.map((validator) =>
      collectFindings(validator, (inner) => validator.prepared.check(read, inner), context, policy.timeoutMs, clock),
    ),
  )
  const issues: Issue[] = truncationOf(read, policy.locale)
  const unchecked: Unchecked[] = []
  const facts: Record<string, Record<string, unknown>> = {}
  results.forEach((result, index) => {
    const validator = validators[index] as ActiveValidator
    if ('cause' in result) unchecked.push(result)
    else if (!result.every((finding) => isFinding(validator, finding))) unchecked.push(notAFinding(validator))
    else sortFindings(validator, result, issues, facts)
  })
  return { issues, unchecked, facts, repairable: canRepair(validators, issues) }
}

/** What validators are told when they run under a contract. */
export function checkContext({ policy }: Contract, options: CheckOptions): CheckContext {
  return {
    locale: policy.locale,
    context: options.context ?? {},
    ports: options.ports ?? {},
    signal: options.signal ?? new AbortController().signal,
  }
}

/** Completes a draft with the validator's name and the severity of its code. */
export function completeIssue({ name, definition }: ActiveValidator, { kind: _kind, ...draft }: IssueDraft): Issue {
  return { severity: definition.codes[draft.code]?.severity ?? 'error', ...draft, validator: name }
}

/** Findings come from the users' own code, which need not keep to their type. */
function isFinding({ definition }: ActiveValidator, finding: unknown): finding is Finding {
  if (typeof finding !== 'object' || finding === null || !('kind' in finding)) return false
  const { kind, code, message, name } = finding as { kind: unknown; code?: unknown; message?: unknown; name?: unknown }
  if (kind === 'fact') return typeof name === 'string'
  return kind === 'issue' && typeof code === 'string' && Object.hasOwn(definition.codes, code) && typeof message === 'string'
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
    else facts[validator.name] = { ...facts[validator.name], [finding.name]: finding.value }
  }
}

function canRepair(validators: readonly ActiveValidator[], issues: readonly Issue[]): boolean {
  const repairing = new Set(validators.filter(({ prepared }) => prepared.repair).map(({ name }) => name))
  return errorsOf({ issues }).some(({ validator }) => repairing.has(validator))
}
