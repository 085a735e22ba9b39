import type { Usage } from '@stickler/core'
import { addUsage } from '../../upstreams/call-usage.ts'
import type { Choice } from '../choice.ts'
import type { Attempt } from '../request-attempt.ts'
import { noUsage } from '../run-log.ts'

/** The usage of a choice: as reported, and an estimate for calls without a report. */
export function choiceUsage({ before, attempts }: Choice): Usage {
  return attemptsUsage(before.length === 0 ? attempts : [...before, ...attempts])
}

/** The same for the client: undefined for a complete answer without reported usage. */
export function reportedUsage({ before, attempts }: Choice): Usage {
  const told = attempts.filter(({ end, call }) => end === undefined || call.head().usage !== undefined)
  return attemptsUsage(before.length === 0 ? told : [...before, ...told])
}

/** The usage of calls, reported or estimated. */
export function attemptsUsage(attempts: readonly Attempt[]): Usage {
  const [only] = attempts
  if (attempts.length === 1 && only !== undefined) return only.usage()
  return attempts.reduce<Usage>((sum, attempt) => addUsage(sum, attempt.usage()) ?? sum, noUsage)
}
