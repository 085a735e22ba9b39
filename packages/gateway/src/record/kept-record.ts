import type { Certificate, Issue } from '@stickler/core'
import type { AttemptRecord, AuditRow, RunRecord } from './run-record.ts'

/** How much of one run is kept at most; what is beyond is left out, counts stay true. */
export const recordLimits = {
  attempts: 100,
  /** Of each list: found in one attempt, remaining, fixed. */
  issues: 200,
  repairs: 200,
  unchecked: 100,
} as const

/** How much there was of what may have been left out. */
export interface RunCounts {
  readonly attempts: number
  readonly issues: number
  readonly fixed: number
  readonly repairs: number
}

/** A run as it is kept, with the numbers of what may have been left out. */
export interface KeptRun extends RunRecord {
  readonly counts: RunCounts
}

/** A run that has been kept before, or not. */
export type MaybeKept = RunRecord & Partial<Pick<KeptRun, 'counts'>>

/** The numbers of what a run had before anything was left out. */
export function countsOf({ attempts, issues, fixed, repairs, counts }: MaybeKept): RunCounts {
  return counts ?? { attempts: attempts.length, issues: issues.length, fixed: fixed.length, repairs: repairs.length }
}

/** Whether a run can be kept as it is: no list is too long, and no text is in it that is not to be kept. */
export function isKeepable({ attempts, issues, fixed, repairs, unchecked, text, request }: RunRecord, keepText: boolean): boolean {
  for (const attempt of attempts) if (keptAttempt(attempt, keepText) !== attempt) return false
  const isShort =
    attempts.length <= recordLimits.attempts &&
    issues.length <= recordLimits.issues &&
    fixed.length <= recordLimits.issues &&
    repairs.length <= recordLimits.repairs &&
    unchecked.length <= recordLimits.unchecked
  return isShort && (keepText || (repairs.length === 0 && text === undefined && request === undefined))
}

/** Bounds the lists of a run and takes out the texts of the model when they are not to be kept. */
export function keptRun(record: MaybeKept, keepText: boolean): KeptRun {
  const { attempts, issues, fixed, repairs, unchecked } = record
  const kept = {
    ...record,
    attempts: firstOf(attempts, recordLimits.attempts).map((attempt) => keptAttempt(attempt, keepText)),
    issues: firstOf(issues, recordLimits.issues),
    fixed: firstOf(fixed, recordLimits.issues),
    repairs: keptRepairs(firstOf(repairs, recordLimits.repairs), keepText),
    unchecked: firstOf(unchecked, recordLimits.unchecked),
    counts: countsOf(record),
  }
  if (!keepText) {
    delete kept.text
    delete kept.request
  }
  return kept
}

/** An audit row as it is kept: without the words of question and answer when texts are not to be kept. */
export function keptAudit(row: AuditRow, keepText: boolean): AuditRow {
  if (keepText || !('answer' in row || 'question' in row)) return row
  const { answer: _answer, question: _question, ...kept } = row
  return kept
}

function keptAttempt(attempt: AttemptRecord, keepText: boolean): AttemptRecord {
  const hasText = attempt.text !== undefined || attempt.feedback !== undefined
  if ((keepText || !hasText) && attempt.issues.length <= recordLimits.issues) return attempt
  const { text: _text, feedback: _feedback, ...rest } = attempt
  return { ...(keepText ? attempt : rest), issues: firstOf<Issue>(attempt.issues, recordLimits.issues) }
}

/** What a repair took out and put in are words of the answer too. */
function keptRepairs(repairs: readonly Certificate[], keepText: boolean): readonly Certificate[] {
  if (keepText || repairs.length === 0) return repairs
  return repairs.map(({ calls: _calls, ...repair }) => ({ ...repair, before: '', after: '' }))
}

function firstOf<Item>(list: readonly Item[], limit: number): readonly Item[] {
  return list.length <= limit ? list : list.slice(0, limit)
}
