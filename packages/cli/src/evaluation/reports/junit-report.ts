import { type JunitOutcome, JunitSuite } from '../../reports/junit.ts'
import type { Case } from '../case-list.ts'
import type { Evaluation } from '../evaluation.ts'
import { describeGate } from './sections.ts'

/** JUnit XML: one test case for each gate, and for each answer as far as reports list them. What could not be checked is an error. */
export function junitReport(evaluation: Evaluation, version: string): string {
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
