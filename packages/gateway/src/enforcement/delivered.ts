import type { Contract, Outcome } from '@stickler/core'

/** Whether the client gets the answer. */
export function isDelivered({ status }: Pick<Outcome, 'status'>, { policy }: Pick<Contract, 'policy'>): boolean {
  if (status === 'failed') return false
  if (policy.mode !== 'strict') return true
  return status === 'unchecked' ? policy.unchecked === 'deliver' : status !== 'unresolved'
}
