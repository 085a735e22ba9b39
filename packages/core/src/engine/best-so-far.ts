import type { Answer } from '../answer/answer.ts'
import type { Policy } from '../contract/policy.ts'
import type { Received } from './attempt/attempt.ts'
import type { Report } from './check/report.ts'
import type { Judged } from './judge.ts'
import { type SettledAnswer, settleAnswer } from './repair/settle.ts'
import type { RunState } from './run-state.ts'

/** An answer that was rejected while the model could still be asked again. */
export interface Rejected {
  readonly attempt: number
  readonly answer: Answer
  /** What was found to be wrong with it. */
  readonly found: Report
}

/** Whether a rejected answer is worth keeping: it is complete, and the contract knows a repair for it or delivers it as it is. */
export function mayServe(run: RunState, { verdict }: Received, { found }: Judged): boolean {
  const { policy } = run.contract
  return verdict === undefined && (policy.unresolved === 'deliver' || mayRepair(policy, found))
}

/** The latest of these answers that the contract delivers, once it is repaired where it can be; never one that contradicts what was shown. */
export async function bestSoFar(
  run: RunState,
  rejected: readonly Rejected[],
): Promise<(SettledAnswer & Pick<Rejected, 'attempt'>) | undefined> {
  const { contract, context, ports, clock, executor, released, caller } = run
  // The deadline may have passed already; only the caller can end this early.
  const options = { context, ports, clock, executor, ...(caller ? { signal: caller } : {}), protect: released.length }
  for (const one of rejected.toReversed()) {
    if (!one.answer.text.startsWith(released)) continue
    const settled = mayRepair(contract.policy, one.found) ? await settleAnswer(contract, one.answer, options) : unchanged(one)
    if (caller?.aborted) return undefined
    if (settled.decision.action === 'deliver') return { ...settled, attempt: one.attempt }
  }
  return undefined
}

function mayRepair({ repair }: Policy, { repairable }: Report): boolean {
  return repairable && repair !== 'never'
}

/** An answer that is delivered as it was judged: another check could only know less. */
function unchanged({ answer, found }: Rejected): SettledAnswer {
  const decision = { action: 'deliver', reason: 'no-retries-left' } as const
  return { found, decision, kept: { answer, report: found, certificates: [], fixed: [] } }
}
