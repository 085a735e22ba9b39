import type { Answer } from '../answer/answer.ts'
import type { Received } from './attempt/attempt.ts'
import type { Judged } from './judge.ts'
import { settle } from './repair/settle.ts'
import type { Settled } from './repair/settled.ts'
import type { RunState } from './run-state.ts'

/** An answer that was rejected while the model could still be asked again. */
export interface Rejected {
  readonly attempt: number
  readonly answer: Answer
}

/** Whether a rejected answer is worth keeping: it is complete, and the contract knows a repair for it. */
export function mayServe(run: RunState, { verdict }: Received, { found }: Judged): boolean {
  return verdict === undefined && found.repairable && run.contract.policy.repair !== 'never'
}

/** The latest of these answers that the contract delivers once it is repaired; never one that contradicts what was shown. */
export async function bestSoFar(run: RunState, rejected: readonly Rejected[]): Promise<(Settled & Rejected) | undefined> {
  const { contract, context, ports, clock, executor, released, caller } = run
  // The deadline may have passed already; only the caller can end this early.
  const options = { context, ports, clock, executor, ...(caller ? { signal: caller } : {}), protect: released.length }
  for (const { attempt, answer } of rejected.toReversed()) {
    if (!answer.text.startsWith(released)) continue
    const settled = await settle(contract, answer, options)
    if (caller?.aborted) return undefined
    if (settled.delivered) return { ...settled, attempt }
  }
  return undefined
}
