import { type CheckOptions, ConfigurationError, type Contract, settle } from '@stickler/core'
import { isFields, rejectUnknown, requireContract } from '@stickler/core/internal'
import { answerHook } from './answer-hook.ts'
import { memoryCounts } from './block-counts.ts'
import type { HookOutput } from './hook-output.ts'
import { type HookEvent, isJudgedEvent } from './seen-event.ts'

/** What a hook may be given beside its contract. */
export interface HookOptions extends Pick<CheckOptions, 'context' | 'ports' | 'clock'> {
  /** How often in a row a turn may be sent back; the retries of the contract by default. */
  readonly maxBlocks?: number
}

/** Sends a turn back that breaks the contract: for the events `Stop` and `SubagentStop`. */
export const stopHook = hookFor('Stop', 'SubagentStop')

/** Repairs or refuses calls, and redacts or withholds what tools return: for the events `PreToolUse`, `PostToolUse` and `PostToolUseFailure`. */
export const toolHook = hookFor('PreToolUse', 'PostToolUse', 'PostToolUseFailure')

/** Blocks prompts that break the contract: for the event `UserPromptSubmit`. */
export const promptHook = hookFor('UserPromptSubmit')

const optionNames: Readonly<Record<keyof HookOptions, true>> = { context: true, ports: true, clock: true, maxBlocks: true }

/** Makes callbacks for `hooks` of the Claude Agent SDK. */
function hookFor(
  ...events: readonly HookEvent[]
): (
  contract: Contract,
  options?: HookOptions,
) => (input: object, toolUseId?: string, options?: { readonly signal?: AbortSignal }) => Promise<HookOutput> {
  return (contract, options = {}) => {
    checkOptions(contract, options)
    const { maxBlocks, ...given } = options
    const blocks = memoryCounts()
    return async (input, _toolUseId, { signal } = {}) => {
      const event = isFields(input) ? input.hook_event_name : undefined
      if (!isFields(input) || !isJudgedEvent(event) || !events.includes(event)) return {}
      const request = { api: 'check', tags: [event] }
      const { output } = await answerHook(input, {
        contract,
        blocks,
        maxBlocks,
        settle: (answer, only) => settle(contract, answer, { ...given, request, ...(only && { only }), ...(signal && { signal }) }),
      })
      return output
    }
  }
}

function checkOptions(contract: Contract, options: HookOptions): void {
  requireContract(contract)
  rejectUnknown(options, optionNames)
  const { maxBlocks = 0 } = options
  if (!Number.isSafeInteger(maxBlocks) || maxBlocks < 0)
    throw new ConfigurationError([{ path: ['maxBlocks'], message: 'must be a whole number, 0 or more' }])
}
