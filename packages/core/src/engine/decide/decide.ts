import type { Policy } from '../../contract/policy.ts'
import { hasErrors, isUnchecked, type Report } from '../check/report.ts'
import { isTruncated } from '../check/truncation.ts'
import { unreadName } from '../check/unreadable-content.ts'

/** Why no further attempt is made. */
export type StopReason = 'no-retries-left' | 'no-progress' | 'budget-attempts' | 'budget-tokens' | 'budget-money' | 'already-shown'

/** Why a decision was made. */
export type DecisionReason = 'clean' | 'unchecked' | 'errors' | 'repairable' | 'lenient' | 'shadow' | StopReason

/** What to do with an answer. */
export interface Decision {
  readonly action: 'deliver' | 'repair' | 'retry' | 'give-up'
  readonly reason: DecisionReason
}

/** Where in the run the decision is made. */
export interface Situation {
  /** Number of this attempt, from 1. */
  readonly attempt: number
  /** Whether this answer has been through repair already. */
  readonly repairTried: boolean
  /** Whether text has been shown, which a retry could only continue. */
  readonly shown?: boolean
  /** Set when the answer cannot be judged: the model refused outside of its text, or there is only audio. */
  readonly kind?: 'refusal' | 'unread' | undefined
  /** Why another attempt is out of the question, besides the number of retries. */
  readonly stop?: StopReason | undefined
}

/** Chooses the cheapest sound action; a pure function. */
export function decide(report: Pick<Report, 'issues' | 'unchecked' | 'repairable'>, policy: Policy, situation: Situation): Decision {
  const { mode, repair, retries } = policy
  if (situation.kind === 'refusal') return { action: 'deliver', reason: 'unchecked' }
  // What was cut off cannot be completed by a rule.
  const repairable = report.repairable && !situation.repairTried && repair !== 'never' && !report.issues.some(isTruncated)
  if (!hasErrors(report)) {
    if (isUnchecked(report) && mode === 'strict' && withholds(report, policy, situation)) return { action: 'give-up', reason: 'unchecked' }
    // What only warns needs no other answer, but a better one costs nothing.
    if (repairable && repair === 'first' && mode !== 'shadow') return { action: 'repair', reason: 'repairable' }
    return { action: 'deliver', reason: isUnchecked(report) ? 'unchecked' : 'clean' }
  }
  if (mode === 'shadow') return { action: 'deliver', reason: 'shadow' }
  if (mode === 'lenient') return repairable ? { action: 'repair', reason: 'repairable' } : { action: 'deliver', reason: 'lenient' }
  // Repair what has been shown instead of asking again: models rarely say the same twice.
  if (repairable && (repair === 'first' || situation.shown === true)) return { action: 'repair', reason: 'repairable' }
  const stop = situation.attempt > retries ? 'no-retries-left' : situation.stop
  if (stop === undefined) return { action: 'retry', reason: 'errors' }
  if (repairable) return { action: 'repair', reason: 'repairable' }
  return { action: policy.unresolved === 'deliver' ? 'deliver' : 'give-up', reason: stop }
}

/** An answer without readable content is passed on, unless the policy says otherwise; an unknown finish reason is handled separately. */
function withholds({ unchecked }: Pick<Report, 'unchecked'>, policy: Policy, { kind }: Situation): boolean {
  if (policy.unchecked !== undefined) return policy.unchecked === 'withhold'
  return kind !== 'unread' || unchecked.some(({ validator, severity }) => validator !== unreadName && severity !== 'warning')
}
