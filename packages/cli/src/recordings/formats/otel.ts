import { type Fields, isFields } from '@stickler/core/internal'
import type { Found, Missing, RecordFormat } from './format.ts'
import { nameIn, shared, unpacked, usageIn } from './free-form.ts'

const isGenAi = (attributes: Fields): boolean => Object.keys(attributes).some((key) => key.startsWith('gen_ai.'))
const isOtlp = ({ resourceSpans, resourceLogs }: Fields): boolean => Array.isArray(resourceSpans) || Array.isArray(resourceLogs)

/** Whether a record is a span as exporters print it. */
function isSpan({ attributes, context, spanId, span_id: snake, root_span_id: root, name }: Fields): boolean {
  const place = isFields(context) ? context.span_id : (spanId ?? snake)
  return typeof name === 'string' && typeof place === 'string' && root === undefined && (isFields(attributes) || Array.isArray(attributes))
}

/** Spans and log records with the attributes of OpenTelemetry's conventions for generative AI, plain or as OTLP. */
export const otel: RecordFormat = {
  name: 'otel',
  title: 'OpenTelemetry GenAI spans and logs, plain or OTLP/JSON',
  keys: 'gen_ai.*, in attributes or beside them; or resourceSpans, resourceLogs',
  matches: (record) => isOtlp(record) || isGenAi(record) || isGenAi(attributesOf(record.attributes)) || isSpan(record),
  *read(record) {
    if (!isOtlp(record)) return yield* readSpan(record)
    for (const [group, scope, list] of [
      ['resourceSpans', 'scopeSpans', 'spans'],
      ['resourceLogs', 'scopeLogs', 'logRecords'],
    ] as const)
      for (const resource of each(record[group]))
        for (const inner of each(resource[scope])) for (const one of each(inner[list])) yield* readSpan(one)
  },
}

function each(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isFields) : []
}

/** The answers of a span, or of the event that has its details. */
function* readSpan(record: Fields): Generator<Found | Missing> {
  const own = { ...(isGenAi(record) ? record : {}), ...attributesOf(record.attributes), ...bodyOf(record.body) }
  const event = each(record.events)
    .map(({ attributes }) => attributesOf(attributes))
    .find((attributes) => attributes['gen_ai.output.messages'] !== undefined)
  const attributes: Fields = { ...own, ...event }
  const context = isFields(record.context) ? record.context : {}
  const id = nameIn(attributes['gen_ai.response.id']) ?? nameIn(record.spanId ?? record.span_id ?? context.span_id)
  if (!isGenAi(attributes)) return yield { id, reason: 'not a generation' }
  const written = attributes['gen_ai.output.messages']
  if (written === undefined) return yield { id, ...whyNone(attributes) }
  const messages = listIn(written)
  if (messages === undefined) return yield { id, reason: 'unreadable', detail: 'gen_ai.output.messages is not a list' }
  yield* shared(messages.length === 0 ? [{ reason: 'without text' }] : messages.map(answerOf), {
    id,
    model: nameIn(attributes['gen_ai.response.model']) ?? nameIn(attributes['gen_ai.request.model']),
    usage: usageIn({ input: attributes['gen_ai.usage.input_tokens'], output: attributes['gen_ai.usage.output_tokens'] }),
    fields: askedOf(attributes),
  })
}

/** Events may have their attributes in the body. */
function bodyOf(body: unknown): Fields {
  if (!isFields(body)) return {}
  const fields = isFields(body.kvlistValue) ? attributesOf(body.kvlistValue.values) : body
  return isGenAi(fields) ? fields : {}
}

const generating: ReadonlySet<unknown> = new Set([undefined, 'chat', 'text_completion', 'generate_content'])

function whyNone(attributes: Fields): Pick<Missing, 'reason' | 'detail'> {
  if (!generating.has(attributes['gen_ai.operation.name'])) return { reason: 'not a generation' }
  const error = nameIn(attributes['error.type'])
  return error === undefined ? { reason: 'text not kept' } : { reason: 'error', detail: error }
}

function answerOf(message: unknown): Pick<Found, 'fields'> | Pick<Missing, 'reason' | 'detail'> {
  const read = chatMessage(message)
  if (read === undefined) return { reason: 'unreadable', detail: 'a message has no parts, or one of an unknown type' }
  const reason = isFields(message) ? message.finish_reason : undefined
  return {
    fields: { message: { ...read, role: 'assistant' }, ...(typeof reason === 'string' && reason !== '' ? { finish_reason: reason } : {}) },
  }
}

/** The conversation and the tools that a model was given. */
function askedOf(attributes: Fields): Fields {
  const system = listIn(attributes['gen_ai.system_instructions'])
  const before = [
    ...(system === undefined ? [] : [{ role: 'system', parts: system }]),
    ...(listIn(attributes['gen_ai.input.messages']) ?? []),
  ]
  const messages = before.map(chatMessage)
  const tools = listIn(attributes['gen_ai.tool.definitions'])
  return {
    ...(messages.length > 0 && messages.every((message) => message !== undefined) ? { messages } : {}),
    ...(tools === undefined ? {} : { tools }),
  }
}

/** Attributes as an object, from an object or from the list of OTLP. */
function attributesOf(attributes: unknown): Fields {
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
function chatMessage(message: unknown): Fields | undefined {
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
function listIn(value: unknown): readonly unknown[] | undefined {
  const read = unpacked(value)
  return Array.isArray(read) ? read : undefined
}
