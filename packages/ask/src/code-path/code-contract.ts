import { type Contract, contract } from '@stickler/core'
import { codeIn } from '@stickler/core/syntax'

/** The contract of generated code: the preset of the design. */
export function codeContract(): Contract {
  return contract({ preset: 'avap' })
}

/** The code of an answer that this contract checks, its blocks one after the other; empty when there is none. */
export function generatedCode(answer: string): string {
  return codeIn(answer, 'avap').join('\n')
}
