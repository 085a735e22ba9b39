import type { ToolCall } from '../../answer/tool-calls.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { SensitiveFinder } from './finder.ts'
import { sensitiveMessages } from './messages.ts'

/** What is sensitive in the arguments of tool calls: one issue per kind and call. */
export function* issuesInCalls(
  calls: readonly ToolCall[],
  finder: SensitiveFinder,
  locale: Locale,
): Generator<IssueDraft<'SENSITIVE'>, void, undefined> {
  const { foundInCall } = sensitiveMessages[locale]
  for (const [index, call] of calls.entries()) {
    const kinds = new Set(finder.find(plainArguments(call.arguments)).map(({ kind }) => kind))
    for (const kind of kinds) yield issue('SENSITIVE', foundInCall(kind, index + 1), { path: ['tool_calls', index, 'arguments'] })
  }
}

/** The arguments with the escapes of JSON read, which could hide something; as they are when they are not JSON. */
function plainArguments(written: string): string {
  const texts: string[] = []
  try {
    JSON.parse(written, (key, value: unknown) => {
      texts.push(key)
      if (typeof value === 'string') texts.push(value)
      return null
    })
  } catch {}
  // A number keeps its digits as they are written, and keys that are given twice are read once.
  return [written, ...texts].join('\n')
}
