import type { Contract } from '../../contract/contract.ts'
import { isTooComplex } from './complexity.ts'
import { errorsOf, type Report } from './report.ts'

/** The verdict on an answer and that on its retry. */
const mostVerdicts = 2

/**
 * The verdict on an answer in the words that the contract's preset declares; undefined when it declares none.
 *
 * `verdicts` says how many answers of the run were invalid: one verdict alone resolves nothing. A given answer is taken for the last one.
 */
export function validationStatus(
  { declared }: Pick<Contract, 'declared'>,
  report: Pick<Report, 'issues' | 'unchecked'>,
  verdicts = mostVerdicts,
): string | undefined {
  const words = declared?.validationStatus
  if (words === undefined) return undefined
  const isItsOwn = ({ validator }: { readonly validator: string }): boolean =>
    words.validator === undefined || validator === words.validator
  const errors = errorsOf(report).filter(isItsOwn)
  // An answer that is too complex was not judged.
  const isFinal = words.validator === undefined || verdicts >= mostVerdicts
  if (errors.some((issue) => !isTooComplex(issue))) return isFinal ? words.invalid : words.unchecked
  return errors.length > 0 || report.unchecked.some(isItsOwn) ? words.unchecked : words.valid
}
