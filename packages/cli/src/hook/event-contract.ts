import type { HookEvent } from '@stickler/node/internal/hook-events'
import type { ContractFlags } from '../config/contract-options.ts'

/** The options of `stickler hook`. */
export interface HookFlags extends ContractFlags {
  readonly maxBlocks?: number
  readonly ifConfigured?: true
}

/** Whether the command line says what to judge by; without that, an event has the contract of its name, and final answers (`Stop`) may have the only one. */
export function isChosen({ contract, preset, check }: ContractFlags): boolean {
  return contract !== undefined || preset !== undefined || check !== undefined
}

/** The name of the contract for an event: errors of tools may have the one of outputs. */
export function contractOf(contracts: object, event: HookEvent): string | undefined {
  return (event === 'PostToolUseFailure' ? [event, 'PostToolUse'] : [event]).find((name) => Object.hasOwn(contracts, name))
}
