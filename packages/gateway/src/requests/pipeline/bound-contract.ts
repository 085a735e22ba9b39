import type { Contract, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'

/** A contract that answers are checked against, with what its checks need. */
export interface HeldContract {
  /** Empty when answers pass unenforced. */
  readonly contractName: string
  readonly contract: Contract
  readonly ports: Ports
  /** Checks large answers in another thread. */
  readonly executor: Executor
}

/** Applies a deadline to a contract: whichever comes first. */
export function withinDeadline(contract: Contract, deadlineMs: number): Contract {
  const { budget } = contract.policy
  const least = Math.min(budget.deadlineMs ?? deadlineMs, deadlineMs)
  return { ...contract, policy: { ...contract.policy, budget: { ...budget, deadlineMs: least } } }
}
