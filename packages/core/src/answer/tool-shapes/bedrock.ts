import { argumentsLike, argumentsText, field, idFor, idOf, isFields, textField } from './fields.ts'
import type { ToolShape } from './shape.ts'

/** Blocks `{toolUse: {toolUseId, name, input}}` of Bedrock's Converse, in the content of a message. */
export const bedrockShape: ToolShape = {
  fits: (entry) => field(entry, 'toolUse') !== undefined,
  read: (entry) => {
    const call = field(entry, 'toolUse')
    return { ...idOf(call, 'toolUseId'), name: textField(call, 'name'), arguments: argumentsText(field(call, 'input')) }
  },
  write: (call, entry) => {
    const given = field(entry, 'toolUse')
    const kept = isFields(given) ? given : {}
    return {
      ...entry,
      toolUse: { ...kept, ...idFor('toolUseId', call), name: call.name, input: argumentsLike(field(given, 'input') ?? {}, call.arguments) },
    }
  },
}
