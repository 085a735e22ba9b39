import type { Contract } from '../../contract/contract.ts'
import type { Report } from './report.ts'
import { isTruncated } from './truncation.ts'

/** The verdict on an answer in the words that the contract's preset declares; undefined when it declares none. */
export function validationStatus(
  { declared }: Pick<Contract, 'declared'>,
  { issues, unchecked }: Pick<Report, 'issues' | 'unchecked'>,
): string | undefined {
  const words = declared?.validationStatus
  if (words === undefined) return undefined
  // What was cut off is not read by the validator, and not whole either.
  const isInvalid = issues.some((issue) => issue.severity === 'error' && (issue.validator === words.validator || isTruncated(issue)))
  if (isInvalid) return words.invalid
  return unchecked.some(({ validator }) => validator === words.validator) ? words.unchecked : words.valid
}
