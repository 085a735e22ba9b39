import { argumentsLike, argumentsText, field, idFor } from './fields.ts'
import { flatShape } from './flat.ts'
import type { ToolShape } from './shape.ts'

/** LangChain's `invalid_tool_calls`, whose arguments it could not parse; a call that has been changed is one of its `tool_calls`. */
export const invalidCallShape: ToolShape = {
  holder: { key: 'invalid_tool_calls', holds: 'calls' },
  fits: (entry) => {
    const type = field(entry, 'type')
    return (
      type === 'invalid_tool_call' ||
      (type === undefined && field(entry, 'error') !== undefined && typeof field(entry, 'args') === 'string')
    )
  },
  read: (entry) => ({ ...flatShape.read(entry), arguments: argumentsText(field(entry, 'args')) }),
  write: (call) => ({ type: 'tool_call', ...idFor('id', call), name: call.name, args: argumentsLike({}, call.arguments) }),
}
