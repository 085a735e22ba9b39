import type { Answer, Certificate, Issue, Settled } from '@stickler/core'
import type { Secrets } from './secrets.ts'

/** The result for one answer. */
export interface Checked {
  readonly name: string
  readonly answer: Answer
  readonly settled: Settled
  readonly proposals: readonly Proposal[]
  /** What no report may show. */
  readonly secrets: Secrets
}

/** The result for one file, and what was done with it. */
export interface FileResult extends Checked {
  /** The file as it was found; absent for standard input. */
  readonly file?: string
  readonly failed: boolean
  /** Milliseconds that reading and checking took. */
  readonly ms: number
  readonly fix?: Fix
  /** Whether `--fix` writes the repaired text, or has written it. */
  readonly isFixable: boolean
}

/** Whether an issue is repaired in the text that the contract keeps; a text that still breaks it, or was not checked in full, is left as it is. */
export function isRepaired({ settled: { status, fixed } }: Checked, issue: Issue): boolean {
  return status === 'repaired' && fixed.includes(issue)
}

/** Issues that only the repaired text has: what a fault hid, or a warning that a repair introduced. */
export function newIssues({ found, issues }: Settled): readonly Issue[] {
  const known = new Set(found.issues.map(({ code, message }) => `${code} ${message}`))
  return issues.filter(({ code, message }) => !known.has(`${code} ${message}`))
}

/** What happened to the repairs of a file. */
export type Fix =
  | { readonly kind: 'written' }
  /** A dry run: the text that would be written. */
  | { readonly kind: 'proposed'; readonly before: string; readonly after: string }
  | { readonly kind: 'refused'; readonly reason: string }

/** A repair that was not applied, and why. */
export interface Proposal {
  readonly certificate: Certificate
  readonly why: 'class' | 'never' | 'shadow' | 'other-errors' | 'unchecked'
}
