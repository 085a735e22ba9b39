import type { Issue, Settled } from '@stickler/core'
import type { Paint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { describeChange } from './change.ts'
import { excerpt } from './excerpt.ts'
import { LineIndex } from './line-index.ts'
import type { Proposal } from './proposals.ts'

/** What has been found out about one file. */
export interface Checked {
  readonly name: string
  readonly text: string
  readonly settled: Settled
  readonly proposals: readonly Proposal[]
}

/** The report for people on one file; every line of it is safe to show. */
export function describeChecked(checked: Checked, paint: Paint): string {
  const { name, text, settled, proposals } = checked
  const lines = new LineIndex(text)
  const issues = settled.found.issues.flatMap((issue) => describeIssue(issue, checked, lines, paint))
  const fresh = settled.report.issues.filter((issue) => !settled.found.issues.some((old) => old.code === issue.code && old.message === issue.message))
  const after = { ...checked, name: `${name} (repaired)`, text: settled.answer.text }
  const later = fresh.length === 0 ? [] : fresh.flatMap((issue) => describeIssue(issue, after, new LineIndex(after.text), paint))
  return [
    headline(checked, paint),
    ...issues,
    ...settled.repairs.flatMap((repair) => [`  ${paint.green('repaired')} by ${repair.rule} (${repair.class})`, ...changes(text, repair, paint)]),
    ...later,
    ...proposals.flatMap(({ certificate, why }) => [
      `  ${paint.cyan('a repair would change')} by ${certificate.rule} (${certificate.class}); ${whyNotMade(why, certificate.class)}`,
      ...changes(text, certificate, paint),
    ]),
    ...settled.report.unchecked.map(({ validator, cause, message }) => `  ${paint.yellow('unchecked')} ${validator} (${cause}): ${clip(message)}`),
    ...Object.values(settled.report.facts).flatMap((facts) => Object.entries(facts).map(([fact, value]) => `  ${printable(fact)}: ${describeFact(value)}`)),
    '',
  ].join('\n')
}

function headline({ name, settled: { status, report } }: Checked, paint: Paint): string {
  const colour = status === 'unresolved' ? paint.red : status === 'unchecked' ? paint.yellow : paint.green
  const errors = report.issues.filter(({ severity }) => severity === 'error').length
  const counts = [count(errors, 'error'), count(report.issues.length - errors, 'warning')].filter(Boolean).join(', ')
  return `${paint.bold(printable(name))}: ${colour(status)}${counts === '' ? '' : ` (${counts})`}`
}

function count(number: number, word: string): string {
  return number === 0 ? '' : `${number} ${word}${number === 1 ? '' : 's'}`
}

function describeIssue(issue: Issue, { name, text, settled }: Checked, lines: LineIndex, paint: Paint): string[] {
  const { code, severity, message, hint, span, path, suggestion } = issue
  const place = span ? lines.positionAt(span.start) : undefined
  const where = `${printable(name)}${place ? `:${place.line}:${place.column}` : ''}`
  const colour = severity === 'error' ? paint.red : paint.yellow
  const inValue = path === undefined || path.length === 0 ? '' : ` at ${clip(path.join('.'))}`
  const fixed = settled.fixed.includes(issue) ? paint.green(' (repaired)') : ''
  return [
    `${where} ${colour(severity)} ${paint.bold(printable(code))} ${clip(message)}${inValue}${fixed}`,
    ...(span && place ? describePlace(text, lines, span, place.line, paint) : []),
    ...(hint === undefined ? [] : [`  hint: ${clip(hint)}`]),
    ...(suggestion === undefined ? [] : [`  did you mean: ${clip(suggestion)}`]),
  ]
}

function describePlace(text: string, lines: LineIndex, span: { start: number; end: number }, line: number, paint: Paint): string[] {
  const [shown, mark] = excerpt(text, lines, span)
  const gutter = String(line)
  return [`  ${paint.dim(`${gutter} |`)} ${shown}`.trimEnd(), `  ${paint.dim(`${' '.repeat(gutter.length)} |`)} ${paint.red(mark)}`]
}

function changes(text: string, certificate: Proposal['certificate'], paint: Paint): string[] {
  return describeChange(text, certificate).map((line) => `    ${line.startsWith('-') ? paint.red(line) : paint.green(line)}`)
}

function whyNotMade(why: Proposal['why'], repairClass: string): string {
  switch (why) {
    case 'class':
      return `the class ${repairClass} is not allowed`
    case 'never':
      return 'repairs are off'
    case 'shadow':
      return 'shadow mode changes nothing'
    case 'other-errors':
      return 'not made, because other errors would remain'
  }
}

function describeFact(value: unknown): string {
  return clip(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)), 200)
}

/** Messages may carry model text, so they are made safe and kept to a line. */
function clip(text: string, longest = 1000): string {
  return text.length > longest ? `${printable(text.slice(0, longest))}…` : printable(text)
}
