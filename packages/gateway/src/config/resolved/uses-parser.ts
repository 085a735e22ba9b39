import type { Contract } from '@stickler/core'

/** Whether a contract has a check that needs the parser. */
export function usesParser(contract: Contract): boolean {
  return contract.validators.some(({ definition }) => definition.ports?.includes('parser') === true)
}
