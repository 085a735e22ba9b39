import { attribute } from '../../reports/junit.ts'
import type { Case } from '../case-list.ts'
import type { Evaluation } from '../evaluation.ts'
import { describeGate } from './sections.ts'

/** JUnit XML: one test case for each gate, and for each answer as far as reports list them. What could not be checked is an error. */
export function junitReport(evaluation: Evaluation, version: string): string {
  const { name, contract, at, gates, cases, recordings } = evaluation
  const written = [
    ...gates.map((gate) => testCase(`gate ${gate.gate}`, 'gates', gate.passed ? '' : element('failure', 'gate', describeGate(gate)))),
    ...recordings.examples.map(({ id, message }) => testCase(id, contract, element('error', 'unreadable', message))),
    ...cases.rows.map((row) => testCase(row.id, contract, outcomeOf(row))),
  ]
  const holding = (kind: string): number => written.filter((text) => text.includes(`<${kind} `)).length
  const counts = `tests="${written.length}" failures="${holding('failure')}" errors="${holding('error')}"`
  const timestamp = new Date(at).toISOString().slice(0, 19)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n',
    `  <testsuite name="${attribute(name)}" package="stickler" id="0" hostname="localhost" timestamp="${timestamp}" ${counts} time="0.000">\n`,
    `    <properties>\n      <property name="stickler.version" value="${attribute(version)}"/>\n`,
    `      <property name="answers" value="${evaluation.answers}"/>\n    </properties>\n`,
    ...written,
    '    <system-out/>\n    <system-err/>\n  </testsuite>\n</testsuites>\n',
  ].join('')
}

function outcomeOf({ before, after }: Case): string {
  const { status, errors, unchecked } = after
  if (status === 'unchecked') return element('error', 'unchecked', unchecked.join(', '))
  const was = before === undefined ? '' : ` (${before.status} before)`
  return status === 'unresolved' ? element('failure', status, `${errors.join(', ')}${was}`) : ''
}

function element(kind: 'failure' | 'error', type: string, message: string): string {
  return `      <${kind} message="${attribute(message)}" type="${type}"/>\n`
}

function testCase(name: string, className: string, content: string): string {
  const open = `    <testcase name="${attribute(name)}" classname="stickler.eval.${attribute(className)}" time="0.000"`
  return content === '' ? `${open}/>\n` : `${open}>\n${content}    </testcase>\n`
}
