import { eventWithin, seenEvent } from '@stickler/node/internal/hook-events'
import { answerHook, type BlockCounts, failedHook } from '@stickler/node/internal/hooks'
import * as z from 'zod'
import { type Guardrail, Unreadable } from './guardrail.ts'

/** The hooks of Claude Code over HTTP. */
export function claudeCode(blocks: BlockCounts): Guardrail {
  return {
    name: 'claude-code',
    path: 'claude-code/:contract',
    summary: 'Answer a hook of Claude Code.',
    notes:
      'Takes the events Stop, SubagentStop, PreToolUse, PostToolUse, PostToolUseFailure and UserPromptSubmit; every other one is answered with an empty object.',
    body: z.looseObject({ hook_event_name: z.string() }),
    reply: z.strictObject({
      decision: z.literal('block').optional(),
      reason: z.string().optional(),
      systemMessage: z.string().optional(),
      hookSpecificOutput: z.looseObject({ hookEventName: z.string() }).optional(),
    }),
    error: z.strictObject({ error: z.strictObject({ message: z.string() }) }),
    glimpse: { bytes: eventWithin, read: (head) => ({ hook_event_name: seenEvent(head) }) },
    async answer(input, { contract, settle, record }) {
      if (typeof input.hook_event_name !== 'string') throw new Unreadable('The body has no hook_event_name.')
      const { output, settled } = await answerHook(input, { contract, settle, blocks })
      if (settled !== undefined) await record(settled)
      return { body: output }
    },
    // Without an event, only an error makes `onFailure` of the hook count.
    refuse: (why, input) =>
      typeof input.hook_event_name !== 'string' ? { status: 400, body: { error: { message: why } } } : { body: failedHook(input, why) },
  }
}
