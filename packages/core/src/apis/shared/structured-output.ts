import { ownFormat } from '../../answer/request/answer-request.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { AnswerFormat } from '../../contract/configuration/answer-format.ts'
import { hasSchema } from '../../engine/attempt/instructed-prompt.ts'
import type { Message } from '../../engine/runner.ts'
import { utf8Length } from '../../engine/tokens/estimate-tokens.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { anthropicStrict, openAiStrict, strictSchema } from '../../schema/strict/strict-schema.ts'

/** A schema in a provider's format. */
export interface NativeSchema {
  readonly schema: Fields
  /** Whether the provider guarantees that answers match it. */
  readonly strict: boolean
}

/** Converts a schema to an API's format; undefined if the API does not support it. */
export type FitSchema = (schema: Fields) => NativeSchema | undefined

/** How a schema reaches a model: in the provider's own field, in the prompt, or not at all, because the prompt already has it. */
export interface PlacedSchema {
  readonly native?: NativeSchema
  readonly inPrompt?: AnswerFormat
}

const nowhere: PlacedSchema = {}

/** Decides how a schema reaches a model; `adapt` is absent if the provider has no structured output. */
export function placeSchema(format: AnswerFormat | undefined, request: Fields, adapt: FitSchema | undefined): PlacedSchema {
  if (format === undefined) return nowhere
  const mayBeNative = ownFormat(request) === undefined && !format.isOfLines && !mayRefuseFormat(request)
  const native = mayBeNative ? adapt?.(format.schema) : undefined
  if (native !== undefined) return { native }
  return hasSchema(messagesOf(request), format) ? nowhere : { inPrompt: format }
}

/** The schema of the answer in a request of any API; the contract's is not added to it, and its answer is still checked. */
export function ownSchema(request: Fields): Fields | undefined {
  const own = ownFormat(request)
  if (!isFields(own) || own.type !== 'json_schema') return undefined
  const { schema } = isFields(own.json_schema) ? own.json_schema : own
  return isFields(schema) ? schema : {}
}

/** Whether providers may reject a format beside something in the request: tools, an answer to be continued, or citations. */
function mayRefuseFormat(request: Fields): boolean {
  const { tools, functions } = request
  if ([tools, functions].some((offered) => Array.isArray(offered) && offered.length > 0)) return true
  const messages = messagesOf(request)
  return messages.at(-1)?.role === 'assistant' || messages.some(({ content }) => Array.isArray(content) && content.some(isCited))
}

function isCited(part: unknown): boolean {
  return isFields(part) && isFields(part.citations) && part.citations.enabled === true
}

/** The messages of a request. */
function messagesOf({ messages, input, system, instructions }: Fields): readonly Message[] {
  const said: unknown = messages ?? input
  const turns: readonly Fields[] = Array.isArray(said) ? said.filter(isFields) : [{ role: 'user', content: said }]
  const rules = [system, instructions].map((content) => ({ role: 'system', content }))
  return [...rules, ...turns] as readonly Message[]
}

/** For chat completions and responses: guaranteed where the schema allows it, otherwise as a guide. */
export const fitOpenAi: FitSchema = remembered((schema) => {
  const strict = strictSchema(schema as JsonObject, openAiStrict)
  if (strict !== undefined) return { schema: strict, strict: true }
  // Roots of any other kind are refused.
  const isPlain = schema.type === 'object' && !['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref'].some((keyword) => keyword in schema)
  return isPlain ? { schema, strict: false } : undefined
})

/** For Anthropic's Messages API, which rejects schemas that it cannot guarantee. */
export const fitAnthropic: FitSchema = remembered((schema) => {
  const strict = strictSchema(schema as JsonObject, anthropicStrict)
  return strict && { schema: strict, strict: true }
})

function remembered(adapt: FitSchema): FitSchema {
  const known = new WeakMap<Fields, { readonly native: NativeSchema | undefined }>()
  return (schema) => {
    const found = known.get(schema) ?? { native: adapt(schema) }
    known.set(schema, found)
    return found.native
  }
}

/** The format as chat completions have it; names are labels. */
export function chatFormat({ schema, strict }: NativeSchema): Fields {
  return { type: 'json_schema', json_schema: { name: 'answer', schema, strict } }
}

/** The format as responses have it. */
export function responsesFormat({ schema, strict }: NativeSchema): Fields {
  return { type: 'json_schema', name: 'answer', schema, strict }
}

/** The format as Anthropic's Messages have it. */
export function messagesFormat({ schema }: NativeSchema): Fields {
  return { type: 'json_schema', schema }
}

/** Maximum bytes that a format adds to a request. */
export function mostFormatBytes({ schema, text }: AnswerFormat): number {
  const written = [fitOpenAi(schema), fitAnthropic(schema)].map((native) => JSON.stringify(native && chatFormat(native)) ?? '')
  return Math.max(...[text, ...written].map((one) => utf8Length(one)))
}
