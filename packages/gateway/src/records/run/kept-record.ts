import type { Issue } from '@stickler/core'
import { keptReason } from './kept-names.ts'
import { keptNodes } from './kept-nodes.ts'
import type { AttemptRecord, AuditRow, RunRecord } from './run-record.ts'
import {
  failureWithoutWords,
  issueWithoutWords,
  type NameTest,
  noNames,
  repairWithoutWords,
  uncheckedWithoutWords,
  type WhenReported,
} from './without-words.ts'

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

/** Whether a run can be kept as it is: no list is too long, and nothing is in it that somebody has worded and that is not to be kept. */
export function isKeepable(record: RunRecord, keepText: boolean): boolean {
  const { attempts, issues, fixed, repairs, unchecked, text, request, failure, pipeline } = record
  if (pipeline !== undefined) return false
  for (const attempt of attempts) {
    if (attempt.issues.length > (keepText ? recordLimits.issues : 0)) return false
    if (!keepText && saysMore(attempt)) return false
  }
  if (attempts.length > recordLimits.attempts) return false
  if (!keepText) {
    const words = issues.length + fixed.length + repairs.length + unchecked.length
    return words === 0 && text === undefined && request === undefined && failure === undefined
  }
  return (
    issues.length <= recordLimits.issues &&
    fixed.length <= recordLimits.issues &&
    repairs.length <= recordLimits.repairs &&
    unchecked.length <= recordLimits.unchecked
  )
}

function saysMore({ text, feedback, finishReason }: AttemptRecord): boolean {
  return text !== undefined || feedback !== undefined || (finishReason !== undefined && keptReason(finishReason) !== finishReason)
}

/** Bounds the lists of a run; when texts are not to be kept, nothing stays that a model, a prompt, a provider or a validator has worded. */
export function keptRun(record: MaybeKept, keepText: boolean, isName: NameTest = noNames): KeptRun {
  const { attempts, issues, fixed, repairs, unchecked, pipeline } = record
  const bounded = {
    ...record,
    attempts: firstOf(attempts, recordLimits.attempts).map(boundedAttempt),
    issues: firstOf(issues, recordLimits.issues),
    fixed: firstOf(fixed, recordLimits.issues),
    repairs: firstOf(repairs, recordLimits.repairs),
    unchecked: firstOf(unchecked, recordLimits.unchecked),
    ...(pipeline === undefined ? {} : { pipeline: keptNodes(pipeline, keepText) }),
    counts: countsOf(record),
  }
  const whenReported = (validator: string, code: string) => isName.whenReported?.(record.contract, validator, code)
  return keepText ? bounded : withoutWords(bounded, (name) => isName(record.contract, name), whenReported)
}

/** An audit row as it is kept: without the words of question, answer and provider when texts are not to be kept. */
export function keptAudit(row: AuditRow, keepText: boolean): AuditRow {
  if (keepText) return row
  const { answer: _answer, question: _question, ...kept } = row
  const { errors, failure } = row
  return {
    ...kept,
    ...(Array.isArray(errors) ? { errors: errors.map((error) => withoutDetail(error)) } : {}),
    ...(failure === undefined ? {} : { failure: withoutDetail(failure) }),
  }
}

/** What is told of a code is a sentence of our own. */
function withoutDetail(told: unknown): unknown {
  return typeof told === 'object' && told !== null && 'detail' in told && !('code' in told) ? { ...told, detail: '' } : told
}

function boundedAttempt(attempt: AttemptRecord): AttemptRecord {
  return attempt.issues.length <= recordLimits.issues ? attempt : { ...attempt, issues: firstOf(attempt.issues, recordLimits.issues) }
}

function withoutWords(
  { text: _text, request: _request, ...run }: KeptRun,
  isName: (name: string) => boolean,
  whenReported: WhenReported,
): KeptRun {
  const found = (issues: readonly Issue[]): readonly Issue[] => issues.map((issue) => issueWithoutWords(issue, isName, whenReported))
  const { attempts, issues, fixed, repairs, unchecked, failure } = run
  return {
    ...run,
    attempts: attempts.map(({ text: _said, feedback: _feedback, finishReason, ...attempt }) => ({
      ...attempt,
      ...(finishReason === undefined ? {} : { finishReason: keptReason(finishReason) }),
      issues: found(attempt.issues),
    })),
    issues: found(issues),
    fixed: found(fixed),
    repairs: repairs.map((repair) => repairWithoutWords(repair, isName)),
    unchecked: unchecked.map(uncheckedWithoutWords),
    ...(failure === undefined ? {} : { failure: failureWithoutWords(failure) }),
  }
}

function firstOf<Item>(list: readonly Item[], limit: number): readonly Item[] {
  return list.length <= limit ? list : list.slice(0, limit)
}
