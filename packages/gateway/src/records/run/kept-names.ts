import { finishKindOf } from '@stickler/core/runners'
import type { RunRecord } from './run-record.ts'

/** What stands for a word of a provider that nobody is known to use. */
const otherReason = 'other'

/** A finish reason as it is kept and traced without texts: a word that providers are known to use, so that none can say anything with it. */
export function keptReason(reason: string): string {
  // A known word may have others behind a colon, or be written with spaces.
  return /^[\w-]{1,40}$/.test(reason) && finishKindOf(reason) !== undefined ? reason : otherReason
}

/** The name of the model that answered, as it is kept without texts: a version of one that was asked for, else the first of those. */
export function keptModel(said: string, asked: readonly [string, ...string[]]): string {
  if (asked.includes(said)) return said
  const isVersion = /^[\w.:/@-]{1,100}$/.test(said) && asked.some((name) => isVersionOf(said, name))
  return isVersion ? said : asked[0]
}

function isVersionOf(said: string, name: string): boolean {
  return name !== '' && said.startsWith(name) && /[.:/@-]/.test(said.charAt(name.length))
}

/** The name under which the step of a session is kept among the facts of a run, whatever its validator calls it. */
export const keptStep = 'step'

/** The step that an answer named, when its contract keeps one. */
export function stepIn(facts: RunRecord['facts']): string | undefined {
  return facts?.[keptStep]
}
