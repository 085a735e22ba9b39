import type { Issue, TextSpan } from '@stickler/core'
import type { Paint } from '../../terminal/paint.ts'
import { clip, count } from '../../terminal/text.ts'
import { type Checked, type FileResult, isRepaired, newIssues } from '../file-result.ts'
import { LineIndex } from '../line-index.ts'
import type { ReportWriter } from '../report-writer.ts'
import { describeSummary } from '../tally.ts'
import { describeProposals, describeRepairs } from './describe-repairs.ts'
import { excerpt } from './excerpt.ts'

/** Options of the text report. */
interface TextOptions {
  readonly paint: Paint
  /** Only failures. */
  readonly quiet: boolean
  /** With a summary line at the end. */
  readonly summary: boolean
}

/** The text report. */
export function textReport({ paint, quiet, summary }: TextOptions): ReportWriter {
  return {
    add: (result) =>
      quiet && !result.failed && result.fix?.kind !== 'refused' ? '' : describeChecked(result, paint) + describeFix(result, paint),
    end: ({ counts, exitCode }) => (summary && !(quiet && exitCode === 0) ? `${paint.bold(describeSummary(counts))}\n` : ''),
  }
}

function describeFix({ fix }: FileResult, paint: Paint): string {
  if (fix === undefined) return ''
  if (fix.kind === 'refused') return `  ${paint.red('not written')}: ${clip(fix.reason)}\n`
  return fix.kind === 'written' ? `  ${paint.green('written')}\n` : ''
}

/** The text report on one answer; every line is safe to print. */
export function describeChecked(checked: Checked, paint: Paint): string {
  const { name, settled, proposals, secrets } = checked
  const text = secrets.hide(checked.answer.text)
  const describe = (issues: readonly Issue[], shownAs: string, shownText: string): string[] => {
    if (issues.length === 0) return []
    const source = { name: shownAs, text: shownText, lines: new LineIndex(shownText) }
    return issues.flatMap((issue) => describeIssue(issue, source, isRepaired(checked, issue), paint))
  }
  const lines = [
    headline(checked, paint),
    ...describe(settled.found.issues, name, text),
    ...(settled.status === 'repaired' ? describeRepairs(settled.repairs, text, paint) : []),
    ...describe(newIssues(settled), `${name} (repaired)`, secrets.hide(settled.text)),
    ...describeProposals(proposals, text, paint),
    ...settled.unchecked.map(({ validator, cause, message }) => `  ${paint.yellow('unchecked')} ${validator} (${cause}): ${clip(message)}`),
    ...(settled.skipped ?? []).map((name) => `  ${paint.dim('skipped')} ${clip(name)}: its condition is not met`),
    ...Object.values(settled.facts).flatMap(describeFacts),
  ]
  return `${lines.join('\n')}\n`
}

function headline({ name, settled: { status, issues } }: Checked, paint: Paint): string {
  const colour = status === 'unresolved' ? paint.red : status === 'unchecked' ? paint.yellow : paint.green
  const errors = issues.filter(({ severity }) => severity === 'error').length
  const warnings = issues.length - errors
  const counts = [...(errors > 0 ? [count(errors, 'error')] : []), ...(warnings > 0 ? [count(warnings, 'warning')] : [])]
  return `${paint.bold(clip(name))}: ${colour(status)}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`
}

function describeFacts(facts: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(facts).map(
    ([name, value]) => `  ${clip(name)}: ${clip(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 200)}`,
  )
}

/** A text that issues point into. */
interface Source {
  /** A file name, or another display name. */
  readonly name: string
  readonly text: string
  readonly lines: LineIndex
}

/** An issue as text: `file:line:column severity CODE message`, the excerpt, the hint and the suggested value. */
function describeIssue(issue: Issue, source: Source, isFixed: boolean, paint: Paint): string[] {
  const { code, severity, message, hint, span, path, suggestion } = issue
  const place = span ? source.lines.positionAt(span.start) : undefined
  const where = `${clip(source.name)}${place ? `:${place.line}:${place.column}` : ''}`
  const colour = severity === 'error' ? paint.red : paint.yellow
  const inValue = path === undefined || path.length === 0 ? '' : paint.dim(` (${clip(path.join('.'))})`)
  return [
    `${where} ${colour(severity)} ${paint.bold(clip(code))} ${clip(message)}${inValue}${isFixed ? paint.green(' (repaired)') : ''}`,
    ...(span && place ? describePlace(source, span, place.line, paint) : []),
    ...(hint === undefined ? [] : [`  hint: ${clip(hint)}`]),
    ...(suggestion === undefined || hint?.includes(JSON.stringify(suggestion)) ? [] : [`  did you mean: ${clip(suggestion)}`]),
  ]
}

function describePlace({ text, lines }: Source, span: TextSpan, line: number, paint: Paint): string[] {
  const [shown, mark] = excerpt(text, lines, span)
  const gutter = String(line)
  return [`  ${paint.dim(`${gutter} |`)} ${shown}`.trimEnd(), `  ${paint.dim(`${' '.repeat(gutter.length)} |`)} ${paint.red(mark)}`]
}
