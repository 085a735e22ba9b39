import type { Contract } from '../../contract/contract.ts'
import { isTooComplex } from '../check/complexity.ts'
import { errorsOf, type Report, type Status } from '../check/report.ts'
import { type Undelivered, UndeliveredError } from './undelivered-error.ts'

/** What outcomes, settled answers and reports can do beside their data; on the prototype, so that copies and comparisons see data only. */
export class Result {
  readonly status: Status

  constructor(status: Status) {
    this.status = status
  }

  /** Whether the answer keeps its contract. */
  get ok(): boolean {
    return this.status === 'valid' || this.status === 'repaired'
  }

  /** The value, or the text where no validator reads a value; throws an `UndeliveredError` unless the answer keeps its contract. */
  unwrap(): unknown {
    const data = this as unknown as Undelivered & { readonly text: string; readonly value?: unknown }
    if (!this.ok) throw new UndeliveredError(data)
    return Object.hasOwn(data, 'value') ? data.value : data.text
  }
}

/** The verdict on an answer in the words that the contract's preset declares; undefined when it declares none. */
export function validationStatus(
  { declared }: Pick<Contract, 'declared'>,
  report: Pick<Report, 'issues' | 'unchecked'>,
): string | undefined {
  const words = declared?.validationStatus
  if (words === undefined) return undefined
  const isItsOwn = ({ validator }: { readonly validator: string }): boolean =>
    words.validator === undefined || validator === words.validator
  const errors = errorsOf(report).filter(isItsOwn)
  // An answer that is too complex was not judged.
  if (errors.some((issue) => !isTooComplex(issue))) return words.invalid
  return errors.length > 0 || report.unchecked.some(isItsOwn) ? words.unchecked : words.valid
}
