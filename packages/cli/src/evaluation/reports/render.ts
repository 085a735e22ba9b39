import { annotation } from '../../reports/github.ts'
import { type JunitOutcome, JunitSuite } from '../../reports/junit.ts'
import { escapeCell } from '../../reports/step-summary.ts'
import { withoutCommands } from '../../reports/workflow-commands.ts'
import type { Paint } from '../../terminal/paint.ts'
import { safeJson } from '../../terminal/printable.ts'
import { describeSections, type Section } from '../../terminal/sections.ts'
import { version } from '../../version.ts'
import type { Case } from '../case-list.ts'
import type { Evaluation } from '../evaluation.ts'
import type { EvaluationFormat } from '../evaluation-options.ts'
import { passes } from '../verdict.ts'
import { describeEnding, describeGate, sectionsOf } from './sections.ts'

/** An evaluation in a format; `command` is the one that reports. */
export async function render(format: EvaluationFormat, evaluation: Evaluation, paint: Paint, command: 'eval' | 'replay'): Promise<string> {
  switch (format) {
    case 'text':
      return describeSections(sectionsOf(evaluation), paint)
    case 'json':
      return `${safeJson(evaluation, 2)}\n`
    case 'junit':
      return junitReport(evaluation, version())
    case 'markdown':
      return markdownReport(evaluation)
    case 'github':
      return githubReport(evaluation, command)
    case 'html':
      return (await import('./html-report.ts')).htmlReport(evaluation, version())
  }
}

/** GitHub takes comments of 65 536 characters, and nobody reads as much. */
const longestMarkdown = 60_000

/** An evaluation as Markdown, for a comment or a step summary; ids and codes cannot become markup. */
function markdownReport(evaluation: Evaluation): string {
  let text = ''
  for (const [at, section] of sectionsOf(evaluation).entries()) {
    const part = markdownOf(section, at === 0 ? '###' : '####')
    if (Buffer.byteLength(text) + Buffer.byteLength(part) > longestMarkdown) return `${text}… cut at ${longestMarkdown} bytes\n`
    text += part
  }
  return text
}

function markdownOf({ title, lines = [], head = [], rows = [] }: Section, level: string): string {
  const list = lines.map((line) => `- ${escapeCell(line.trim())}\n`).join('')
  const table = rows.length === 0 ? '' : `${[head, head.map(() => '---'), ...rows].map((row) => rowOf(row, head.length)).join('')}`
  return `${level} ${escapeCell(title)}\n\n${list}${list !== '' && table !== '' ? '\n' : ''}${table}\n`
}

function rowOf(cells: readonly string[], width: number): string {
  return `|${Array.from({ length: width }, (_, at) => ` ${cells[at] === '---' ? '---' : escapeCell(cells[at] ?? '')} |`).join('')}\n`
}

/** JUnit XML: one test case for each gate, and for each answer as far as reports list them. What could not be checked is an error. */
function junitReport(evaluation: Evaluation, version: string): string {
  const { name, contract, at, gates, cases, recordings } = evaluation
  const timestamp = new Date(at).toISOString().slice(0, 19)
  const suite = new JunitSuite({ timestamp, version, name, properties: { answers: String(evaluation.answers) } }, 'stickler.eval')
  for (const gate of gates) {
    const outcome: JunitOutcome | undefined = gate.passed ? undefined : { kind: 'failure', type: 'gate', message: describeGate(gate) }
    suite.add(`gate ${gate.gate}`, 0, outcome, 'gates')
  }
  for (const { id, message } of recordings.examples) suite.add(id, 0, { kind: 'error', type: 'unreadable', message }, contract)
  for (const row of cases.rows) suite.add(row.id, 0, outcomeOf(row), contract)
  return suite.end()
}

function outcomeOf({ before, after }: Case): JunitOutcome | undefined {
  const { status, errors, unchecked } = after
  if (status === 'unchecked') return { kind: 'error', type: status, message: unchecked.join(', ') }
  const was = before === undefined ? '' : ` (${before.status} before)`
  return status === 'unresolved' ? { kind: 'failure', type: status, message: `${errors.join(', ')}${was}` } : undefined
}

/** GitHub shows ten annotations of a kind for each step. */
const mostAnnotations = 10

/** Annotations for failed gates and answers that do not pass any more, and a line that sums up. */
function githubReport(evaluation: Evaluation, command: string): string {
  const { gates, cases, recordings, comparison } = evaluation
  const failed = gates.filter(({ passed }) => !passed)
  const worse = cases.rows.filter(({ before, after }) => before !== undefined && passes(before) && !passes(after))
  const level = failed.length > 0 ? 'error' : 'warning'
  // Runs are in a store, not in a file of the checkout.
  const placeOf = ({ file, line }: { readonly file: string; readonly line: number }) => (command === 'replay' ? {} : { file, line })
  return [
    ...failed.map((gate) => annotation('error', { title: `stickler ${command}: ${gate.gate}` }, describeGate(gate))),
    ...recordings.examples
      .slice(0, mostAnnotations)
      .map((fault) => annotation('error', { ...placeOf(fault), title: `${fault.id} cannot be read` }, fault.message)),
    ...(comparison === undefined ? [] : worse).slice(0, mostAnnotations).map(({ id, before, after, ...place }) => {
      const message = `${before?.status ?? ''} before, now ${after.status}: ${[...after.errors, ...after.unchecked].join(', ')}`
      return annotation(level, { ...placeOf(place), title: id }, message)
    }),
    `${withoutCommands(describeEnding(evaluation))}\n`,
  ].join('')
}
