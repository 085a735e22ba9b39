import type { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Issue } from '../../contract/issue.ts'
import { hideQuoted } from '../check/hide-quoted.ts'
import { errorsOf, issueKey, type Report } from '../check/report.ts'
import type { RepairResult } from './repair-result.ts'

/** So much of the text at an issue is compared. */
const mostCompared = 200

/** How far a repair has come: what was changed so far, and what is still wrong. */
export interface Progress {
  readonly answer: Answer
  readonly report: Report
  readonly certificates: readonly Certificate[]
}

/** What repairs achieved: only a clean result counts; otherwise the answer is as it was, and what they cannot correct is known. */
export function conclude(validators: readonly ActiveValidator[], answer: Answer, before: Report, progress: Progress): RepairResult {
  const { answer: repaired, report, certificates } = progress
  if (certificates.length === 0) return unrepaired(answer, before, errorsOf(before))
  const remaining = hideQuoted(
    validators,
    answer.text,
    [...errorsAsWritten(answer, before, progress), ...lost(before, report)],
    before.issues,
  )
  if (remaining.length > 0) return unrepaired(answer, before, remaining)
  if (isBlank(repaired)) return unrepaired(answer, before, errorsOf(before))
  return { clean: true, answer: repaired, report, certificates, fixed: fixedBetween(before, report), remaining: [] }
}

/** The result of repairs that did not make an answer valid. */
export function unrepaired(answer: Answer, before: Report, remaining: readonly Issue[]): RepairResult {
  return { clean: false, answer, report: withRevealed(before, remaining), certificates: [], fixed: [], remaining }
}

/** The report with errors that its validators could only see after repairs, such as what the schema says of JSON with a fault. */
export function withRevealed(report: Report, remaining: readonly Issue[]): Report {
  const wrong = new Set(errorsOf(report).map(({ validator }) => validator))
  const known = new Set(report.issues.map(faultOf))
  const revealed = remaining.filter((issue) => wrong.has(issue.validator) && !known.has(faultOf(issue)))
  if (revealed.length === 0) return report
  // Their place is in another text.
  return { ...report, issues: [...report.issues, ...revealed.map(({ span: _span, ...issue }) => issue)] }
}

/** A repair that leaves nothing to see has answered nothing. */
export function isBlank({ visible, toolCalls }: Answer): boolean {
  return !visible && toolCalls.length === 0
}

/** The issues of one report that another does not have. */
export function fixedBetween(before: Report, after: Report): readonly Issue[] {
  const left = new Set(after.issues.map(issueKey))
  return before.issues.filter((issue) => !left.has(issueKey(issue)))
}

/** What an issue complains about; the observed value in its message may change with the text. */
export function complaintOf({ validator, code, path }: Issue): string {
  return JSON.stringify([validator, code, path])
}

/** As above; where issues of one code have no path, what they say tells them apart, such as two faults of the syntax. */
function faultOf(issue: Issue): string {
  return issue.path === undefined && issue.span !== undefined ? `${complaintOf(issue)} ${issue.message}` : complaintOf(issue)
}

/** Errors of validators that could not run again: nothing says that they are corrected. */
function lost(before: Report, { unchecked }: Report): readonly Issue[] {
  if (unchecked.length === 0) return []
  const names = new Set(unchecked.map(({ validator }) => validator))
  return errorsOf(before).filter(({ validator }) => names.has(validator))
}

/** The errors after the repairs; those that are where they were, with the lines and columns of the text that the model knows. */
function errorsAsWritten(answer: Answer, before: Report, { answer: repaired, report }: Progress): readonly Issue[] {
  const written = byPlace(errorsOf(before), answer.text)
  const left = byPlace(errorsOf(report), repaired.text)
  const same = new Map(
    [...written].flatMap(([place, all]) => (left.get(place)?.length === all.length ? [[place, all.values()] as const] : [])),
  )
  return errorsOf(report).map((issue) => same.get(placeOf(issue, repaired.text) ?? '')?.next().value ?? issue)
}

function byPlace(issues: readonly Issue[], text: string): ReadonlyMap<string, readonly Issue[]> {
  const places = new Map<string, Issue[]>()
  for (const issue of issues) {
    const place = placeOf(issue, text)
    if (place === undefined) continue
    const there = places.get(place)
    if (there) there.push(issue)
    else places.set(place, [issue])
  }
  return places
}

/** What an issue complains about, and the text there. */
function placeOf(issue: Issue, text: string): string | undefined {
  if (issue.span === undefined) return undefined
  const { start, end } = issue.span
  return `${complaintOf(issue)} ${end - start} ${text.slice(start, Math.min(end, start + mostCompared))}`
}
