import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { type Failure, RunnerFailure, type TraceEvent } from '@stickler/core'
import type { ReplyHead } from '@stickler/core/internal/relay'
import type { CalledPlace } from '../../records/run/run-facts.ts'
import { keptModel, keptReason } from '../../records/run/stored-names.ts'

/** Longer names are cut; clients and providers choose some of them. */
const longestName = 128

/** A name as written in a span. */
export function short(name: string): string {
  return name.length > longestName ? name.slice(0, longestName) : name
}

const mostStops = 8

type Fields = Readonly<Record<string, unknown>>

/** Where a call goes, and to which model. */
export function placeAttributes({ provider, address, port }: CalledPlace, model: string): Attributes {
  return {
    'gen_ai.provider.name': short(provider),
    'gen_ai.request.model': short(model),
    ...(address === undefined ? {} : { 'server.address': address }),
    ...(port === undefined ? {} : { 'server.port': port }),
  }
}

/** The request parameters in the span conventions, by their names in the APIs. */
const parameters: readonly (readonly [attribute: string, ...fields: string[]])[] = [
  ['gen_ai.request.max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_tokens'],
  ['gen_ai.request.temperature', 'temperature'],
  ['gen_ai.request.top_p', 'top_p'],
  ['gen_ai.request.top_k', 'top_k'],
  ['gen_ai.request.frequency_penalty', 'frequency_penalty'],
  ['gen_ai.request.presence_penalty', 'presence_penalty'],
  ['gen_ai.request.seed', 'seed'],
]

/** The parameters of a request, without its content. */
export function requestAttributes(body: Fields): Attributes {
  const found: Record<string, AttributeValue> = {}
  for (const [attribute, ...fields] of parameters) {
    const value = fields.map((field) => body[field]).find((one) => typeof one === 'number' && Number.isFinite(one))
    if (value !== undefined) found[attribute] = value as number
  }
  const stops = [body.stop ?? body.stop_sequences].flat().filter((stop): stop is string => typeof stop === 'string')
  if (stops.length > 0) found['gen_ai.request.stop_sequences'] = stops.slice(0, mostStops).map(short)
  if (typeof body.n === 'number' && body.n !== 1) found['gen_ai.request.choice.count'] = body.n
  if (body.stream === true) found['gen_ai.request.stream'] = true
  const type = outputType(body)
  if (type !== undefined) found['gen_ai.output.type'] = type
  return found
}

/** Only the formats that the conventions list; the rest is text. */
function outputType({ response_format: chat, text, output_config: messages, output_format: earlier }: Fields): string | undefined {
  const format = chat ?? memberOf(text, 'format') ?? memberOf(messages, 'format') ?? earlier
  const type = memberOf(format, 'type')
  if (typeof type !== 'string') return undefined
  return type.startsWith('json') ? 'json' : 'text'
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Fields)[name] : undefined
}

/** A provider may send words instead of an identifier; real ones are long and contain digits. */
const isIdentifier = /^(?=[^0-9]*[0-9])[\w.:-]{16,128}$/

/** What came back. */
export function responseAttributes(
  { id, model, asked }: Pick<ReplyHead, 'id' | 'model' | 'asked'> = {},
  clientModel: string,
  { usage, finishReason }: Partial<Pick<TraceEvent & { readonly type: 'attempt-received' }, 'usage' | 'finishReason'>>,
): Attributes {
  return {
    ...(id === undefined || !isIdentifier.test(id) ? {} : { 'gen_ai.response.id': id }),
    ...(model === undefined ? {} : { 'gen_ai.response.model': short(keptModel(model, [asked ?? clientModel, clientModel])) }),
    ...(usage === undefined
      ? {}
      : { 'gen_ai.usage.input_tokens': usage.promptTokens, 'gen_ai.usage.output_tokens': usage.completionTokens }),
    ...(finishReason === undefined ? {} : { 'gen_ai.response.finish_reasons': [keptReason(finishReason)] }),
  }
}

/** The status that providers use in their errors. */
export function errorType(failure: Failure | RunnerFailure): string {
  const { kind } = failure
  const { status, code } = failure instanceof RunnerFailure ? failure.details : failure
  if (code === 'circuit_open') return code
  return kind === 'http' && status !== undefined ? String(status) : kind
}
