import { contract } from '@stickler/core'
import { expect, expectTypeOf, it, test } from 'vitest'
import { promptHook, stopHook, toolHook } from '../../claude.ts'
import { type HookOutput, memoryCounts } from '../../hooks.ts'

/** A callback and its result as the Claude Agent SDK declares them, reduced to what is used. */
type SdkCallback = (
  input: { session_id: string; hook_event_name: 'Stop' } | { session_id: string; hook_event_name: 'PreToolUse'; tool_input: unknown },
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<{
  continue?: boolean
  decision?: 'approve' | 'block'
  systemMessage?: string
  reason?: string
  hookSpecificOutput?:
    | {
        hookEventName: 'PreToolUse'
        permissionDecision?: 'allow' | 'deny' | 'ask' | 'defer'
        permissionDecisionReason?: string
        updatedInput?: Record<string, unknown>
      }
    | { hookEventName: 'PostToolUse'; additionalContext?: string; updatedToolOutput?: unknown }
}>

const brief = contract({ checks: [{ max_words: { limit: 2 } }] })
const signal = new AbortController().signal
const stop = (text: string, more: object = {}) => ({
  hook_event_name: 'Stop',
  session_id: 's',
  stop_hook_active: true,
  last_assistant_message: text,
  ...more,
})

it('is a callback of the SDK', async () => {
  expectTypeOf(stopHook(brief)).toExtend<SdkCallback>()
  expectTypeOf(toolHook(brief)).toExtend<SdkCallback>()
  const callback: SdkCallback = stopHook(brief)
  expect(await callback({ hook_event_name: 'Stop', session_id: 's' }, undefined, { signal })).toEqual({
    systemMessage: expect.stringContaining('last_assistant_message'),
  })
})

it('sends a turn back at most so often, and counts in the process', async () => {
  const hook = stopHook(brief)
  const seen: HookOutput[] = []
  for (let turn = 0; turn < 4; turn++) seen.push(await hook(stop('far too many words')))
  expect(seen.map(({ decision }) => decision)).toEqual(['block', 'block', undefined, 'block'])
  expect(await hook(stop('two words'))).toEqual({})
  expect((await stopHook(brief, { maxBlocks: 0 })(stop('far too many words'))).systemMessage).toMatch(/breaks its contract: MAX_WORDS/)
})

it('leaves events to the hooks that are for them', async () => {
  const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'far too many words' }
  const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'far too many words' } }
  expect([await stopHook(brief)(prompt), await toolHook(brief)(stop('far too many words')), await promptHook(brief)(call)]).toEqual([
    {},
    {},
    {},
  ])
  expect(await promptHook(brief)(prompt)).toMatchObject({ decision: 'block' })
  expect(await toolHook(contract({ checks: [{ contains: { none: ['many'] } }] }))(call)).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'deny' },
  })
  for (const odd of [[], {}, null, 'Stop']) expect(await stopHook(brief)(odd as object)).toEqual({})
})

test.each([
  [{ maxBlock: 1 }, 'did you mean "maxBlocks"?'],
  [{ maxBlocks: -1 }, 'must be a whole number'],
])('%j is not accepted', (options, message) => {
  expect(() => stopHook(brief, options as object)).toThrow(message)
  expect(() => toolHook({ checks: [] } as never)).toThrow('pass a contract')
})

it('forgets the sessions of long ago', async () => {
  const counts = memoryCounts()
  for (let at = 0; at < 10_001; at++) await counts.set(`s${at}`, { count: 1 })
  expect([await counts.get('s0'), await counts.get('s1'), await counts.get('s10000')]).toEqual([undefined, { count: 1 }, { count: 1 }])
})
