import { type Contract, contract } from '@stickler/core'

/** The contract of generated code: the preset of the design. */
export function codeContract(): Contract {
  return contract({ preset: 'avap' })
}
