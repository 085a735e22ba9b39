import { finishKindOf } from '@stickler/core/internal'
import type { RunRecord } from './run-record.ts'

/** Replaces a word of a provider that is not a known finish reason. */
const otherReason = 'other'

/** A finish reason as it is stored and traced without texts: only known words, so that a provider cannot pass text through it. */
export function keptReason(reason: string): string {
  // A known word may be followed by a colon and other words, or be written with spaces.
  return /^[\w-]{1,40}$/.test(reason) && finishKindOf(reason) !== undefined ? reason : otherReason
}

/** The name of the answering model, as it is stored without texts: a version of a requested model, otherwise the first requested one. */
export function keptModel(said: string, asked: readonly [string, ...string[]]): string {
  if (asked.includes(said)) return said
  const isVersion = /^[\w.:/@-]{1,100}$/.test(said) && asked.some((name) => isVersionOf(said, name))
  return isVersion ? said : asked[0]
}

function isVersionOf(said: string, name: string): boolean {
  return name !== '' && said.startsWith(name) && /[.:/@-]/.test(said.charAt(name.length))
}

/** The fact of a run that has the step of its session, whatever its validator calls it. */
export const keptStep = 'step'

/** Set in the facts of a run whose step a repair has inferred. */
export const inferredStep = 'step_inferred'

/** Whether a step is what a repair has inferred, and not what the model said. */
export function isInferred(facts: RunRecord['facts']): boolean {
  return facts?.[inferredStep] !== undefined
}

/** The step that an answer named, if its contract records one. */
export function stepIn(facts: RunRecord['facts']): string | undefined {
  return facts?.[keptStep]
}
