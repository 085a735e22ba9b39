import type { ContractFlags } from '../config/contract-options.ts'

/** The options of `stickler hook`. */
export interface HookFlags extends ContractFlags {
  readonly maxBlocks?: number
  readonly ifConfigured?: true
}
