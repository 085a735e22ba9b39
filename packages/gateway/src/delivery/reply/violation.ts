import { giveUpBody, validationOf } from '@stickler/ask/internal'
import { catalogue, type Issue, type Outcome, RunnerFailure, type Unchecked } from '@stickler/core'
import type { Declarations } from '@stickler/core/internal'
import { HttpError, validationMember, verdictNames } from '@stickler/core/internal/apis'
import type { Target } from '../../requests/target.ts'
import { type ReplyWords, replyWords } from './reply-messages.ts'

/**
 * The error of an answer that is not delivered: it violates the contract, could not be checked, or
 * the upstream failed.
 */
export function undelivered(outcome: Outcome, target: Target): HttpError | RunnerFailure {
  const { contractName, contract } = target
  const { failure, issues, fixed, attempts, status, unchecked } = outcome
  if (failure !== undefined) {
    const { kind, message, ...details } = failure
    return new RunnerFailure(kind, message, details)
  }
  const errors = issues.filter(({ severity }) => severity === 'error')
  // Unchecked is not invalid, and hardly a client repeats a 424, as all do with a 5xx; for those that do, the route has a status.
  const [first] = errors
  return new HttpError(target.refusalStatus ?? (first === undefined ? 424 : 422), sentence(outcome, errors, target), {
    type: first === undefined ? verdictNames.unchecked : verdictNames.violated,
    code: first?.code ?? verdictNames.uncheckedCode,
    body: {
      ...membersBeside(outcome, contract.declared),
      ...validationMember(outcome.validationStatus),
      stickler: { status, contract: contractName, attempts, issues, fixed, unchecked: unchecked.map(({ validator }) => validator) },
    },
  })
}

/** Fields that the preset adds beside the error. */
function membersBeside(outcome: Outcome, declared: Declarations | undefined): Readonly<Record<string, unknown>> {
  const names = Object.keys(declared?.annotations?.error ?? {})
  if (names.length === 0) return {}
  const findings = { ...giveUpBody(validationOf(outcome, 'strict')).validation, ok: false }
  return Object.fromEntries(names.map((name) => [name, findings]))
}

function sentence({ unchecked }: Outcome, errors: readonly Issue[], { contractName, contract }: Target): string {
  const [first] = errors
  const name = JSON.stringify(contractName)
  const say = replyWords[contract.policy.locale]
  if (first === undefined) return say.unchecked(name, cause(unchecked[0], say))
  return say.violated(name, `${first.code}: ${first.message}`, errors.length - 1)
}

/**
 * Why a check could not run. Errors of foreign code may name paths and secrets; built-in checks say
 * what is missing.
 */
function cause(unchecked: Unchecked | undefined, say: ReplyWords): string {
  const { validator = '', cause: kind, message = '' } = unchecked ?? {}
  if (validator === 'truncation') return say.couldNotRun(validator, noKnownEnd)
  const isOurs = validator === 'unread' || catalogue.validators.some(({ definition }) => definition.name === validator)
  return say.couldNotRun(validator, kind === 'unavailable' && isOurs ? message.replace(/\.?$/, '.') : '')
}

/** The provider's own word may be anything, also what the answer must not say. */
const noKnownEnd = 'the provider gave no known reason for the end of the answer.'
