import { argumentsLike, argumentsText, field, idFor, idOf, isFields, textField } from './fields.ts'
import type { ToolShape } from './shape.ts'

/** Gemini's parts `{functionCall: {name, args}}`. */
export const geminiShape: ToolShape = {
  holder: { key: 'parts', holds: 'parts' },
  fits: (entry) => field(entry, 'functionCall') !== undefined,
  read: (entry) => {
    const call = field(entry, 'functionCall')
    return { ...idOf(call, 'id'), name: textField(call, 'name'), arguments: argumentsText(field(call, 'args')) }
  },
  write: (call, entry) => {
    const given = field(entry, 'functionCall')
    const kept = isFields(given) ? given : {}
    return {
      ...entry,
      functionCall: { ...kept, ...idFor('id', call), name: call.name, args: argumentsLike(field(given, 'args') ?? {}, call.arguments) },
    }
  },
}
