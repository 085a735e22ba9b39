import { argumentsLike, argumentsText, field, idFor, idOf, textField } from './fields.ts'
import type { ToolShape } from './shape.ts'

/** Anthropic's `tool_use` blocks in the content of a message; the input is an object. */
export const anthropicShape: ToolShape = {
  holder: { key: 'content', holds: 'parts' },
  fits: (entry) => field(entry, 'type') === 'tool_use',
  read: (entry) => ({ ...idOf(entry, 'id'), name: textField(entry, 'name'), arguments: argumentsText(field(entry, 'input')) }),
  write: (call, entry) => ({
    type: 'tool_use',
    ...idFor('id', call),
    ...entry,
    ...idFor('id', call),
    name: call.name,
    input: argumentsLike(field(entry, 'input') ?? {}, call.arguments),
  }),
}
