import type { Locale } from '@stickler/core'
import { type Fields, withheld } from '@stickler/core/internal'
import { hookMessages } from './hook-messages.ts'

/** What a hook answers with, as Claude Code and the Claude Agent SDK read it; an empty object lets everything go on. */
export interface HookOutput {
  readonly decision?: 'block'
  readonly reason?: string
  /** Shown to the user, not to the model. */
  readonly systemMessage?: string
  readonly hookSpecificOutput?:
    | {
        readonly hookEventName: 'PreToolUse'
        readonly permissionDecision: 'allow' | 'deny' | 'ask'
        readonly permissionDecisionReason: string
        readonly updatedInput?: Record<string, unknown>
      }
    | { readonly hookEventName: 'PostToolUse'; readonly additionalContext: string; readonly updatedToolOutput: unknown }
}

/** Refuses a call; the model is told the reason. */
export function denied(reason: string): HookOutput {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason } }
}

/** Replaces the output of a tool before the model reads it. */
export function replaced(output: unknown, why: string): HookOutput {
  return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: why, updatedToolOutput: output } }
}

/** What a hook answers with when it could not judge: it fails closed where its event can, and a turn always may end. */
export function failedHook(input: Fields, why: string, locale: Locale = 'en'): HookOutput {
  const told = hookMessages[locale].failed(why)
  switch (input.hook_event_name) {
    case 'Stop':
    case 'SubagentStop':
    case 'PostToolUseFailure':
      return { systemMessage: told }
    case 'PreToolUse':
      return denied(told)
    case 'PostToolUse':
      // Output that was not read is replaced too: without a replacement, the model would get it.
      return replaced(withheld(input.tool_response === undefined ? 'unread' : input.tool_response), told)
    case 'UserPromptSubmit':
      return { decision: 'block', reason: told }
    default:
      return {}
  }
}
