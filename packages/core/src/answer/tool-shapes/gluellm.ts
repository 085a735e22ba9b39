import { argumentsLike, argumentsText, field, idFor, idOf, textField } from './fields.ts'
import type { ToolShape } from './shape.ts'

/** GlueLLM's `tool_execution_history[].{tool_name, arguments}`. */
export const gluellmShape: ToolShape = {
  holder: { key: 'tool_execution_history', holds: 'calls' },
  fits: (entry) => field(entry, 'tool_name') !== undefined,
  read: (entry) => ({
    ...idOf(entry, 'id', 'tool_call_id'),
    name: textField(entry, 'tool_name'),
    arguments: argumentsText(field(entry, 'arguments')),
  }),
  write: (call, entry) => ({
    ...entry,
    ...(field(entry, 'tool_call_id') === undefined ? idFor('id', call) : idFor('tool_call_id', call)),
    tool_name: call.name,
    arguments: argumentsLike(field(entry, 'arguments') ?? {}, call.arguments),
  }),
}
