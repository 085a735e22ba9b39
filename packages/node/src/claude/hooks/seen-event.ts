/** The events of Claude Code that are judged. */
const events = ['Stop', 'SubagentStop', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit'] as const

/** The name of an event that is judged. */
export type HookEvent = (typeof events)[number]

/** Whether an event is judged; every other one goes on. */
export function isJudgedEvent(name: unknown): name is HookEvent {
  return (events as readonly unknown[]).includes(name)
}

/** How far the name of an event is searched: it comes before what a model wrote. */
export const eventWithin = 64 * 1024

/** The name of the event in bytes that cannot be read, so that it still fails as it must: within a value, its quotes would be escaped. */
export function seenEvent(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, eventWithin))
  return /"hook_event_name"\s{0,9}:\s{0,9}"(\w{1,40})"/.exec(text)?.[1]
}
