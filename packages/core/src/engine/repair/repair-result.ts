import type { Answer } from '../../answer/answer.ts'
import type { Certificate, RepairClass } from '../../contract/certificate.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Report } from '../check/report.ts'

/** What a repair may do. */
export interface RepairTerms {
  /** Text before this offset has been shown and must stay as it is. */
  readonly protect?: number
  /** Classes of repair that may be applied, in place of those that validators allow; never more than the contract allows. */
  readonly allow?: readonly RepairClass[]
  /** Whether no model can be asked again, so that a validator's last resort is open. */
  readonly lastResort?: boolean
  /**
   * Only changes that are made whatever else is wrong: those of validators that declare `edits`, when their class is allowed; or, in text that is kept and
   * not delivered, those of any class that take out a secret.
   */
  readonly edits?: 'allowed' | 'secrets'
}

/** What a repair brought. */
export interface RepairResult {
  /** Whether the repaired answer has been checked again without an error; otherwise only changes were made by validators that declare `edits`. */
  readonly clean: boolean
  readonly answer: Answer
  /** The report on `answer`. */
  readonly report: Report
  readonly certificates: readonly Certificate[]
  /** What was wrong before and is not any more. */
  readonly fixed: readonly Issue[]
  /** The errors that the repairs could not correct. */
  readonly remaining: readonly Issue[]
}
