import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'

/** Messages of chat completions as input items. */
export function inputItems(messages: readonly Message[]): readonly Fields[] {
  /** Ids of calls whose results have a type of their own. */
  const custom = new Set<unknown>()
  return messages.flatMap(({ role, content, tool_calls: calls, tool_call_id: id }): readonly Fields[] => {
    const text = typeof content === 'string' ? content : ''
    if (role === 'tool') return [{ type: custom.has(id) ? 'custom_tool_call_output' : 'function_call_output', call_id: id, output: text }]
    const said = text === '' ? [] : [{ role: role === 'system' ? 'developer' : role, content: text }]
    const made = (Array.isArray(calls) ? calls : []).filter(isFields).map((call) => {
      const { id: call_id, function: called } = call
      if (!isFields(call.custom)) return { type: 'function_call', call_id, ...(isFields(called) && called) }
      custom.add(call_id)
      return { type: 'custom_tool_call', call_id, ...call.custom }
    })
    return [...said, ...made]
  })
}
