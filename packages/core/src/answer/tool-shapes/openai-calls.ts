import { argumentsLike, argumentsText, field, idFor, idOf, isFields, namespaceOf, textField } from './fields.ts'
import type { ToolShape } from './shape.ts'

/** OpenAI's `tool_calls[].function.{name, arguments}`; the arguments are text, or with some providers an object. */
export const openaiShape: ToolShape = {
  holder: { key: 'tool_calls', holds: 'calls' },
  fits: (entry) => field(entry, 'function') !== undefined,
  read: (entry) => ({
    ...idOf(entry, 'id'),
    ...namespaceOf(entry),
    name: textField(field(entry, 'function'), 'name'),
    arguments: argumentsText(field(field(entry, 'function'), 'arguments')),
  }),
  write: (call, entry) => {
    const inner = field(entry, 'function')
    const given = field(inner, 'arguments')
    return {
      ...(entry ?? { ...idFor('id', call), type: 'function' }),
      ...idFor('id', call),
      function: { ...(isFields(inner) ? inner : {}), name: call.name, arguments: argumentsLike(given, call.arguments) },
    }
  },
}

/** OpenAI's calls of custom tools, `tool_calls[].custom.{name, input}`: the input is free text, read as the only argument. */
export const customShape: ToolShape = {
  fits: (entry) => field(entry, 'type') === 'custom' && typeof field(field(entry, 'custom'), 'name') === 'string',
  read: (entry) => {
    const called = field(entry, 'custom')
    const given = JSON.stringify({ input: textField(called, 'input') })
    return { ...idOf(entry, 'id'), ...namespaceOf(entry), kind: 'custom', name: textField(called, 'name'), arguments: given }
  },
  write: (call, entry) => {
    const called = field(entry, 'custom')
    return {
      ...(entry ?? { type: 'custom' }),
      ...idFor('id', call),
      custom: { ...(isFields(called) ? called : {}), name: call.name, input: inputOf(call.arguments) },
    }
  },
}

function inputOf(written: string): string {
  try {
    return textField(JSON.parse(written), 'input')
  } catch {
    return written
  }
}
