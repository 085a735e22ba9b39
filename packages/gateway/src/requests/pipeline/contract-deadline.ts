import type { Contract } from '@stickler/core'

/** Applies a deadline to a contract: whichever comes first. */
export function withinDeadline(contract: Contract, deadlineMs: number): Contract {
  const { budget } = contract.policy
  const least = Math.min(budget.deadlineMs ?? deadlineMs, deadlineMs)
  return { ...contract, policy: { ...contract.policy, budget: { ...budget, deadlineMs: least } } }
}
