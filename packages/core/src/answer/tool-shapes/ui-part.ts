import { argumentsLike, argumentsText, field, firstField, idFor, idOf, textField } from './fields.ts'
import type { ToolShape } from './shape.ts'

const prefix = 'tool-'

/** Tool parts of the AI SDK's UI messages: `{type: 'tool-<name>', toolCallId, state, input}`, or `dynamic-tool` with a `toolName`. */
export const uiPartShape: ToolShape = {
  // Other parts whose type starts so have no state.
  fits: (entry) => {
    const type = textField(entry, 'type')
    return (type === 'dynamic-tool' || type.startsWith(prefix)) && textField(entry, 'state') !== ''
  },
  read: (entry) => ({
    ...idOf(entry, 'toolCallId'),
    name: isDynamic(entry) ? textField(entry, 'toolName') : textField(entry, 'type').slice(prefix.length),
    // Input that is not valid is kept apart.
    arguments: argumentsText(firstField(entry, 'input', 'rawInput')?.given),
  }),
  write: (call, entry) => ({
    state: 'input-available',
    ...entry,
    ...idFor('toolCallId', call),
    ...(isDynamic(entry) ? { toolName: call.name } : { type: `${prefix}${call.name}` }),
    input: argumentsLike(firstField(entry, 'input', 'rawInput')?.given ?? {}, call.arguments),
  }),
}

function isDynamic(entry: unknown): boolean {
  return field(entry, 'type') === 'dynamic-tool'
}
