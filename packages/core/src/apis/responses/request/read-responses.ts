import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'
import { withheld } from '../../request/host-fields.ts'
import type { RequestLimits } from '../../request/limits.ts'
import { checkFields, type FieldTable, readModel, readObjects, refuse, refuseUnsupported, requireField } from '../../request/read-fields.ts'
import { checkSchemaSize } from '../../request/schema-limit.ts'
import { Translation } from '../../request/translation.ts'
import type { ClientRequest } from '../../shared/api.ts'
import { given, without } from '../../shared/selected-fields.ts'
import { readInput } from './read-input.ts'
import { clientChoice, readToolChoice, readTools } from './read-tools.ts'

const textFields: FieldTable = new Map([
  ['format', 'object'],
  ['verbosity', 'text'],
])

const schemaFields: FieldTable = new Map([
  ['description', 'text'],
  ['strict', 'boolean'],
])

/** `text` as in chat completions: `response_format` and `verbosity`. */
function readTextOptions(text: unknown): Fields {
  if (!isFields(text)) return {}
  checkFields(text, textFields, 'text.')
  return given({ response_format: isFields(text.format) ? responseFormat(text.format) : undefined, verbosity: text.verbosity })
}

function responseFormat(format: Fields): Fields | undefined {
  switch (format.type) {
    case 'text':
      return undefined
    case 'json_object':
      return { type: 'json_object' }
    case 'json_schema': {
      requireField(format, 'name', 'name', 'text.format.')
      requireField(format, 'schema', 'object', 'text.format.')
      checkFields(format, schemaFields, 'text.format.')
      const { name, schema, strict, description } = format
      checkSchemaSize(schema, 'text.format.schema')
      return { type: 'json_schema', json_schema: given({ name, description, schema, strict }) }
    }
    default:
      return refuse('text.format.type', 'text.format.type must be text, json_object or json_schema.')
  }
}

/** The parameters of a request, and their types. */
export const responsesParameters: FieldTable = new Map([
  ['instructions', 'text'],
  ['stream', 'boolean'],
  ['stream_options', 'object'],
  ['max_output_tokens', 'count'],
  ['max_tool_calls', 'count'],
  ['temperature', 'number'],
  ['top_p', 'number'],
  ['top_logprobs', 'size'],
  ['parallel_tool_calls', 'boolean'],
  ['tool_choice', 'text or object'],
  ['text', 'object'],
  ['reasoning', 'object'],
  ['include', 'texts'],
  ['metadata', 'object'],
  ['store', 'boolean'],
  ['background', 'boolean'],
  ['truncation', 'text'],
  ['user', 'text'],
  ['stickler', 'object'],
])

const reasoningFields: FieldTable = new Map([['effort', 'text']])

/** Why a parameter cannot be honoured. */
const refused: readonly (readonly [name: string, why: string])[] = [
  ['previous_response_id', 'previous_response_id is not supported: responses are not stored. Send the whole conversation as input.'],
  ['conversation', 'conversation is not supported: conversations are not stored. Send the whole conversation as input.'],
  ['prompt', 'prompt is not supported: prompts are not stored. Send instructions and input.'],
  ['messages', 'messages is not a parameter of this endpoint; send input.'],
  ['n', 'n is not a parameter of this endpoint; it returns one answer.'],
]

/** Request fields that are never sent to an upstream, in any API. */
export const neverForwarded = withheld()

const notForwarded = withheld(
  ...[
    'input',
    'instructions',
    'tools',
    'tool_choice',
    'max_output_tokens',
    'max_tool_calls',
    'text',
    'reasoning',
    'include',
    'metadata',
    'store',
  ],
  ...['background', 'truncation', 'top_logprobs', 'stream_options', ...refused.map(([name]) => name)],
)

const withLogprobs = 'message.output_text.logprobs'

/** Parameters that can be dropped without changing the meaning of an answer. */
const harmless = ['max_tool_calls', 'metadata', 'stream_options', 'truncation']

/**
 * Reads a Responses request and translates it to chat completions; what cannot be translated is
 * noted, for providers with the same API.
 */
export function readResponses(body: Fields, limits: RequestLimits): ClientRequest {
  const model = readModel(body)
  checkFields(body, responsesParameters)
  // An answer that is fetched later could not be checked.
  if (body.background === true) refuseUnsupported('background', 'background is not supported: answers are checked before delivery.')
  if (Array.isArray(body.input) && body.input.length > limits.messages) readObjects(body.input, 'input', limits.messages)
  const translation = new Translation()
  translation.attempt(() => checkRefused(body), undefined)
  const tools = readTools(body.tools, limits, translation)
  const input = translation.attempt(() => readInput(body.input, limits, translation), [])
  const chat = {
    ...without(body, notForwarded),
    model,
    messages: [...instructions(body.instructions), ...input],
    ...given({
      max_completion_tokens: body.max_output_tokens,
      reasoning_effort: effort(body.reasoning),
      // What cannot be translated still limits which calls may be delivered.
      tool_choice: translation.attempt(() => readToolChoice(body.tool_choice), clientChoice(body.tool_choice)),
    }),
    ...(tools.length === 0 ? {} : { tools }),
    ...readTextOptions(body.text),
    ...logprobs(body),
  }
  dropHarmless(body, translation)
  const { dropped, refused: why } = translation
  const request = { chat, stream: body.stream === true, includeUsage: true, body, dropped }
  return why === undefined ? request : { ...request, refused: why }
}

function checkRefused(body: Fields): void {
  for (const [name, why] of refused) {
    if (body[name] !== undefined && body[name] !== null) refuseUnsupported(name, why)
  }
}

function dropHarmless(body: Fields, translation: Translation): void {
  translation.dropGiven(body, harmless)
  const { store, include, reasoning } = body
  if (store === true) translation.drop('store')
  if (Array.isArray(include)) {
    for (const [at, name] of include.entries()) if (name !== withLogprobs) translation.drop(`include[${at}]`)
  }
  if (isFields(reasoning)) translation.dropGiven(reasoning, ['summary', 'generate_summary'], 'reasoning.')
}

function instructions(text: unknown): readonly Message[] {
  return typeof text === 'string' && text !== '' ? [{ role: 'system', content: text }] : []
}

function effort(reasoning: unknown): unknown {
  if (!isFields(reasoning)) return undefined
  checkFields(reasoning, reasoningFields, 'reasoning.')
  return reasoning.effort
}

function logprobs({ include, top_logprobs: top }: Fields): Fields {
  if (typeof top === 'number') return { logprobs: true, top_logprobs: top }
  return Array.isArray(include) && include.includes(withLogprobs) ? { logprobs: true } : {}
}
