import type { Status } from '../check/report.ts'
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
