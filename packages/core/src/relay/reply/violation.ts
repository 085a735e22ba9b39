import { validationMember } from '../../apis/reply/verdict-body.ts'
import { HttpError } from '../../apis/shared/http-error.ts'
import { verdictNames } from '../../apis/shared/verdict-names.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Unchecked } from '../../engine/check/report.ts'
import type { Outcome } from '../../engine/outcome.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import type { ErrorTerms, RelayTarget } from '../relayed-request.ts'
import { type ReplyWords, replyWords } from './reply-messages.ts'

/**
 * The error of an answer that is not delivered: it violates the contract, could not be checked, or
 * the upstream failed.
 */
export function undelivered(outcome: Outcome, target: RelayTarget, terms: ErrorTerms = {}): HttpError | RunnerFailure {
  const { contractName } = target
  const { failure, issues, fixed, attempts, status, unchecked } = outcome
  if (failure !== undefined) {
    const { kind, message, ...details } = failure
    return new RunnerFailure(kind, message, details)
  }
  const errors = issues.filter(({ severity }) => severity === 'error')
  // Unchecked is not invalid, and hardly a client repeats a 424, as all do with a 5xx; for those that do, the route has a status.
  const [first] = errors
  return new HttpError(target.refusalStatus ?? (first === undefined ? 424 : 422), sentence(outcome, errors, target, terms), {
    type: first === undefined ? verdictNames.unchecked : verdictNames.violated,
    code: first?.code ?? verdictNames.uncheckedCode,
    body: {
      ...terms.membersBeside?.(outcome),
      ...validationMember(outcome.validationStatus),
      stickler: { status, contract: contractName, attempts, issues, fixed, unchecked: unchecked.map(({ validator }) => validator) },
    },
  })
}

function sentence({ unchecked }: Outcome, errors: readonly Issue[], { contractName, contract }: RelayTarget, terms: ErrorTerms): string {
  const [first] = errors
  const name = JSON.stringify(contractName)
  const say = replyWords[contract.policy.locale]
  if (first === undefined) return say.unchecked(name, cause(unchecked[0], say, terms))
  return say.violated(name, `${first.code}: ${first.message}`, errors.length - 1)
}

/**
 * Why a check could not run. Errors of foreign code may name paths and secrets; built-in checks say
 * what is missing.
 */
function cause(unchecked: Unchecked | undefined, say: ReplyWords, { isBuiltIn }: ErrorTerms): string {
  const { validator = '', cause: kind, message = '' } = unchecked ?? {}
  if (validator === 'truncation') return say.couldNotRun(validator, noKnownEnd)
  const isOurs = validator === 'unread' || isBuiltIn?.(validator) === true
  return say.couldNotRun(validator, kind === 'unavailable' && isOurs ? message.replace(/\.?$/, '.') : '')
}

/** The provider's own word may be anything, also what the answer must not say. */
const noKnownEnd = 'the provider gave no known reason for the end of the answer.'
