import { annotation } from '../../reports/github.ts'
import { withoutCommands } from '../../reports/workflow-commands.ts'
import type { Evaluation } from '../evaluation.ts'
import { passes } from '../verdict.ts'
import { describeEnding, describeGate } from './sections.ts'

/** GitHub shows ten annotations of a kind for each step. */
const mostAnnotations = 10

/** Annotations for failed gates and answers that do not pass any more, and a line that sums up. */
export function githubReport(evaluation: Evaluation, command: string): string {
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
