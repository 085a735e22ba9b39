import { giveUpBody, validationOf } from '@stickler/ask'
import { catalogue, type Declarations, type Issue, type Outcome, RunnerFailure, type Unchecked } from '@stickler/core'
import type { Target } from '../enforcement/target.ts'
import { HttpError } from '../http/http-error.ts'
import { verdictNames } from '../http/verdict-names.ts'

/** The error of an answer that is not delivered: it breaks the contract, it could not be checked, or the upstream failed. */
export function undelivered(outcome: Outcome, { contractName, contract }: Target): HttpError | RunnerFailure {
  const { failure, issues, attempts, status, unchecked } = outcome
  if (failure !== undefined) {
    const { kind, message, ...details } = failure
    return new RunnerFailure(kind, message, details)
  }
  const errors = issues.filter(({ severity }) => severity === 'error')
  // Unknown is not invalid, and no client sends a 424 again on its own, as some do with a 5xx.
  const [first] = errors
  return new HttpError(first === undefined ? 424 : 422, sentence(outcome, errors, contractName), {
    type: first === undefined ? verdictNames.unchecked : verdictNames.violated,
    code: first?.code ?? verdictNames.uncheckedCode,
    body: {
      ...membersBeside(outcome, contract.declared),
      stickler: { status, contract: contractName, attempts, issues, unchecked: unchecked.map(({ validator }) => validator) },
    },
  })
}

/** What the preset declares to stand beside the error. */
function membersBeside(outcome: Outcome, declared: Declarations | undefined): Readonly<Record<string, unknown>> {
  const names = Object.keys(declared?.annotations?.error ?? {})
  if (names.length === 0) return {}
  const findings = { ...giveUpBody(validationOf(outcome, 'strict')).validation, ok: false }
  return Object.fromEntries(names.map((name) => [name, findings]))
}

function sentence({ unchecked }: Outcome, errors: readonly Issue[], contractName: string): string {
  const [first] = errors
  const name = JSON.stringify(contractName)
  if (first === undefined) return `The answer could not be checked against the contract ${name}: ${cause(unchecked[0])}`
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`
  return `The answer does not keep the contract ${name}: ${first.code}: ${first.message}${more}`
}

/** Why a check could not run. What others threw may name paths and secrets; what ships with Stickler says what is missing. */
function cause(unchecked: Unchecked | undefined): string {
  if (unchecked === undefined) return 'a check could not run.'
  const { validator, cause: kind, message } = unchecked
  const isOurs = validator === 'truncation' || catalogue.validators.some(({ definition }) => definition.name === validator)
  return kind === 'unavailable' && isOurs ? `${validator}: ${message.replace(/\.?$/, '.')}` : `${validator} could not run.`
}
