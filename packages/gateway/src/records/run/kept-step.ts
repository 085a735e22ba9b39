import type { RunRecord } from './run-record.ts'

/** The name under which the step of a session is kept among the facts of a run, whatever its validator calls it. */
export const keptStep = 'step'

/** The step that an answer named, when its contract keeps one. */
export function stepIn(facts: RunRecord['facts']): string | undefined {
  return facts?.[keptStep]
}
