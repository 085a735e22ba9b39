import { argumentsLike, argumentsText, field, firstField, idFor, idOf, textField } from './fields.ts'
import type { ToolShape } from './shape.ts'

/** Tool-call parts of the Vercel AI SDK: `{type: 'tool-call', toolCallId, toolName, input}`, before version 5 with `args`. */
export const vercelShape: ToolShape = {
  holder: { key: 'toolCalls', holds: 'calls' },
  fits: (entry) => {
    const type = field(entry, 'type')
    // A `tool-result` part names its tool too, but is not a call.
    return type === 'tool-call' || (type === undefined && field(entry, 'toolName') !== undefined)
  },
  read: (entry) => ({
    ...idOf(entry, 'toolCallId'),
    name: textField(entry, 'toolName'),
    arguments: argumentsText(firstField(entry, 'input', 'args')?.given),
  }),
  write: (call, entry) => {
    const { key, given } = firstField(entry, 'input', 'args') ?? { key: 'input', given: {} }
    return {
      type: 'tool-call',
      ...idFor('toolCallId', call),
      ...entry,
      ...idFor('toolCallId', call),
      toolName: call.name,
      [key]: argumentsLike(given, call.arguments),
    }
  },
}
