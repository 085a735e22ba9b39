import type { ToolCall } from '@stickler/core'
import { isFields, parseJson } from '@stickler/core/internal'
import { type Part, textOf } from './model.ts'

/** Whether a part is a call that the caller is to run: what the provider runs itself is never judged. */
export function isClientCall(part: Part): boolean {
  return part.type === 'tool-call' && part.providerExecuted !== true
}

/** A call as validators read it. */
export function readCall(part: Part): ToolCall {
  const [id, name, input] = [textOf(part, 'toolCallId'), textOf(part, 'toolName'), textOf(part, 'input')]
  const text = freeText(input)
  return text === undefined ? { id, name, arguments: input } : { id, name, kind: 'custom', arguments: JSON.stringify({ input: text }) }
}

/** A call as it is passed on: the part that it was read from with what a repair changed, or a new one for a call that was text. */
export function writeCall(call: ToolCall, part: Part | undefined): Part {
  const before = part && readCall(part)
  if (part && before?.name === call.name && before.arguments === call.arguments) return part
  const { id = crypto.randomUUID(), name, arguments: given } = call
  const input = call.kind === 'custom' ? JSON.stringify(freeTextOf(given)) : given
  return { type: 'tool-call', toolCallId: id, ...part, toolName: name, input }
}

/** What tools take that have no fields: their input is written as a JSON string. */
function freeText(input: string): string | undefined {
  if (!input.startsWith('"')) return undefined
  const value = parseJson(input)
  return typeof value === 'string' ? value : undefined
}

function freeTextOf(given: string): unknown {
  const value = parseJson(given)
  return isFields(value) ? value.input : given
}
