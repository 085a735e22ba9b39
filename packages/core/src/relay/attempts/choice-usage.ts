import { noUsage } from '../../engine/decide/budget.ts'
import type { Usage } from '../../engine/outcome.ts'
import { addUsage } from '../calls/call-usage.ts'
import type { Attempt } from './attempt.ts'

/** The calls of a choice, those before its first attempt included. */
interface Billed {
  readonly before: readonly Attempt[]
  readonly attempts: readonly Attempt[]
}

/** The usage of a choice: as reported, and an estimate for calls without a report. */
export function choiceUsage({ before, attempts }: Billed): Usage {
  return attemptsUsage(before.length === 0 ? attempts : [...before, ...attempts])
}

/** The same for the client: undefined for a complete answer without reported usage. */
export function reportedUsage({ before, attempts }: Billed): Usage {
  const told = attempts.filter(({ end, call }) => end === undefined || call.head().usage !== undefined)
  return attemptsUsage(before.length === 0 ? told : [...before, ...told])
}

/** The usage of calls, reported or estimated. */
export function attemptsUsage(attempts: readonly Attempt[]): Usage {
  const [only] = attempts
  if (attempts.length === 1 && only !== undefined) return only.usage()
  return attempts.reduce<Usage>((sum, attempt) => addUsage(sum, attempt.usage()) ?? sum, noUsage)
}
