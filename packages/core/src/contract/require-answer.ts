import type { AnswerRequest } from '../answer/request/answer-request.ts'
import type { Contract } from './contract.ts'

/** Rejects a request without an answer, unless every check of the contract judges only what was given with it. */
export function requireAnswer({ missing }: Pick<AnswerRequest, 'missing'>, { validators }: Pick<Contract, 'validators'>): void {
  if (missing && !(validators.length > 0 && validators.every(({ definition }) => definition.judges === 'context'))) throw missing
}
