import { type Fields, isFields } from '@stickler/core/internal'
import { unpacked } from './free-form.ts'

/** Attributes as an object, from an object or from the list of OTLP. */
export function attributesOf(attributes: unknown): Fields {
  if (isFields(attributes)) return attributes
  if (!Array.isArray(attributes)) return {}
  return Object.fromEntries(
    attributes.flatMap((one) => (isFields(one) && typeof one.key === 'string' ? [[one.key, plainValue(one.value, 0)]] : [])),
  )
}

/** Deeper values are data that nobody wrote by hand. */
const deepest = 64

/** A value of OTLP as plain data. */
function plainValue(value: unknown, depth: number): unknown {
  if (!isFields(value) || depth > deepest) return undefined
  const { stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue } = value
  if (intValue !== undefined) return Number(intValue)
  if (isFields(arrayValue)) return Array.isArray(arrayValue.values) ? arrayValue.values.map((one) => plainValue(one, depth + 1)) : []
  if (isFields(kvlistValue)) {
    const pairs: readonly unknown[] = Array.isArray(kvlistValue.values) ? kvlistValue.values : []
    return Object.fromEntries(pairs.flatMap((one) => (isFields(one) ? [[String(one.key), plainValue(one.value, depth + 1)]] : [])))
  }
  return stringValue ?? doubleValue ?? boolValue
}

/** A message of the semantic conventions as a chat message; undefined when one of its parts is not known. */
export function chatMessage(message: unknown): Fields | undefined {
  if (!isFields(message) || !Array.isArray(message.parts)) return undefined
  const content: string[] = []
  const calls: Fields[] = []
  let result: Fields | undefined
  for (const part of message.parts as readonly unknown[]) {
    if (!isFields(part)) return undefined
    if (part.type === 'text' && typeof part.content === 'string') content.push(part.content)
    else if (part.type === 'tool_call') calls.push(callOf(part))
    else if (part.type === 'tool_call_response') result = { tool_call_id: part.id, content: textOf(part.response ?? part.result) }
    else if (part.type !== 'reasoning') return undefined
  }
  if (result !== undefined) return { role: 'tool', ...result }
  return { role: roleOf(message.role), content: content.join(''), ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

const roles: ReadonlyMap<unknown, string> = new Map([
  ['AI', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['Human', 'user'],
  ['human', 'user'],
])

function roleOf(role: unknown): string {
  return roles.get(role) ?? (typeof role === 'string' ? role : 'user')
}

function callOf({ id, name, arguments: given }: Fields): Fields {
  return { ...(typeof id === 'string' ? { id } : {}), type: 'function', function: { name, arguments: textOf(given ?? {}) } }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

/** A list that may be written as JSON. */
export function listIn(value: unknown): readonly unknown[] | undefined {
  const read = unpacked(value)
  return Array.isArray(read) ? read : undefined
}
