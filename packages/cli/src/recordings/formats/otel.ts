import { type Fields, isFields } from '@stickler/core/internal'
import type { Found, Missing, RecordFormat } from './format.ts'
import { nameIn, shared, usageIn } from './free-form.ts'
import { attributesOf, chatMessage, listIn } from './otel-attributes.ts'

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
