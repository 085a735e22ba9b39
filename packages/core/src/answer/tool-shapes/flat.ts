import { argumentsLike, argumentsText, field, firstField, idFor, idOf, namespaceOf, textField } from './fields.ts'
import { isItemCall } from './native-calls.ts'
import type { ToolShape } from './shape.ts'

const types = new Set<unknown>([undefined, 'function', 'function_call', 'tool_call'])

/** A flat call `{name, arguments}`, as many local models and OpenAI's Responses write it. */
export const flatShape: ToolShape = {
  // A part such as an image may have a name too; only its type distinguishes it from a call.
  fits: (entry) => field(entry, 'name') !== undefined && types.has(field(entry, 'type')),
  read: (entry) => ({
    ...idOf(entry, 'call_id', 'id'),
    ...namespaceOf(entry),
    // LangChain's.
    ...(field(entry, 'isCustomTool') === true ? { kind: 'custom' as const } : {}),
    name: textField(entry, 'name'),
    arguments: argumentsText(firstField(entry, 'arguments', 'args', 'parameters')?.given),
  }),
  write: (call, entry) => {
    const { key, given } = firstField(entry, 'arguments', 'args', 'parameters') ?? { key: 'arguments', given: undefined }
    const id = idFor(field(entry, 'call_id') === undefined ? 'id' : 'call_id', call)
    return { ...(entry ?? id), ...id, name: call.name, [key]: argumentsLike(given, call.arguments) }
  },
}

/** OpenAI's deprecated `function_call`: a single flat call under its own key. */
export const functionCallShape: ToolShape = { ...flatShape, holder: { key: 'function_call', holds: 'one' } }

/** OpenAI's Responses: flat calls with a type, among the other items of `output`. */
export const responsesShape: ToolShape = { ...flatShape, holder: { key: 'output', holds: 'parts', only: isItemCall } }
