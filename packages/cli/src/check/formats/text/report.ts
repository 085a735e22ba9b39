import type { Issue } from '@stickler/core'
import { clip } from '../../../terminal/clip.ts'
import { count } from '../../../terminal/count.ts'
import type { Paint } from '../../../terminal/paint.ts'
import { type Checked, isRepaired, newIssues } from '../../result.ts'
import { LineIndex } from '../line-index.ts'
import { describeIssue } from './describe-issue.ts'
import { describeProposals, describeRepairs } from './describe-repairs.ts'

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
