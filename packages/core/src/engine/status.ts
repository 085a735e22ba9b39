import type { Certificate } from '../contract/certificate.ts'
import { hasErrors, type Report } from './check/report.ts'

/** How a run ended. */
export type Status = 'valid' | 'repaired' | 'unresolved' | 'unchecked' | 'failed'

/** The status of an answer by the report on it, as it would be delivered, and the repairs that it took. */
export function statusOf(report: Pick<Report, 'issues' | 'unchecked'>, repairs: readonly Certificate[]): Exclude<Status, 'failed'> {
  if (hasErrors(report)) return 'unresolved'
  if (report.unchecked.length > 0) return 'unchecked'
  return repairs.length > 0 ? 'repaired' : 'valid'
}
