import { isFields } from '@stickler/core/internal'
import { type Change, mapContent, mapFields, mapJson, mapList, mapMessage, mapPart, mapText, readOnly, type Visits } from './messages.ts'

/** Thoughts of a model are compared with what it has said, so they are read only. */
const thoughts = mapList((item, change) => mapFields(item, { text: readOnly }, change))

/** Where the items of the Responses API have their texts, beside messages. */
const itemFields: ReadonlyMap<unknown, Visits> = new Map<unknown, Visits>([
  ['function_call', { arguments: mapJson }],
  ['function_call_output', { output: mapContent }],
  ['custom_tool_call', { input: mapText }],
  ['custom_tool_call_output', { output: mapContent }],
  ['reasoning', { summary: thoughts, content: thoughts }],
  ['item_reference', {}],
])

/** Visits the texts of an `input`: a text, texts, or items of the Responses API; throws for an item that it cannot read. */
export function mapInput(input: unknown, change: Change): unknown {
  return Array.isArray(input) ? input.map((item) => mapItem(item, change)) : mapContent(input, change)
}

function mapItem(item: unknown, change: Change): unknown {
  if (!isFields(item)) return mapPart(item, change)
  if (item.type === 'message' || (item.type === undefined && item.content !== undefined)) return mapMessage(item, change)
  const visits = itemFields.get(item.type)
  return visits === undefined ? mapPart(item, change) : mapFields(item, visits, change)
}
