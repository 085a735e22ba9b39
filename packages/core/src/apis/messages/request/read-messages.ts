import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { hostFields, withheld } from '../../request/host-fields.ts'
import { checkFields, type FieldTable, readModel, refuseUnsupported, requireField } from '../../request/read-fields.ts'
import { Translation } from '../../request/translation.ts'
import type { ClientRequest } from '../../shared/api.ts'
import { given, without } from '../../shared/fields.ts'
import type { MessagesOptions, MessagesReading } from './messages-options.ts'
import { readEffort, readFormat } from './read-output-options.ts'
import { readToolChoice, readTools } from './read-tools.ts'
import { readSystem, readTurns } from './read-turns.ts'

/** The parameters of a request, and their types. */
export const messagesParameters: FieldTable = new Map([
  ['system', 'text or list'],
  ['stop_sequences', 'texts'],
  ['temperature', 'number'],
  ['top_p', 'number'],
  ['top_k', 'size'],
  ['stream', 'boolean'],
  ['metadata', 'object'],
  ['thinking', 'object'],
  ['output_config', 'object'],
  ['tool_choice', 'object'],
  ['mcp_servers', 'list'],
  ['stickler', 'object'],
])

const limits: FieldTable = new Map([['max_tokens', 'size']])

const metadataFields: FieldTable = new Map([['user_id', 'text']])
const fieldsOfMetadata = new Set(metadataFields.keys())

/** Why a parameter cannot be honoured by an upstream of another API. */
const refused: readonly (readonly [name: string, why: string])[] = [
  ['container', 'container is not supported: the upstream of this model runs no code.'],
  ['mcp_servers', 'mcp_servers is not supported: the upstream of this model runs no tools.'],
  ['inference_geo', 'inference_geo is not supported: the upstream of this model does not guarantee a location.'],
  ['n', 'n is not a parameter of this endpoint; it returns one answer.'],
]

/** Used by Anthropic alone; none of them changes the meaning of an answer. */
const harmless: readonly string[] = [
  ...['service_tier', 'context_management', 'speed', 'diagnostics', 'user_profile_id', 'workspace_id', 'stream_options'],
  ...['anthropic_version', 'anthropic_beta', 'betas'],
]

const notForwarded = withheld(
  ...['system', 'max_tokens', 'stop_sequences', 'metadata', 'thinking', 'tools', 'tool_choice'],
  ...['output_config', 'output_format', 'cache_control', ...harmless, ...refused.map(([name]) => name)],
)

/** Reads a Messages request and translates it to chat completions. */
export function readMessages(body: Fields, options: MessagesOptions): ClientRequest {
  const translation = new Translation()
  const reading: MessagesReading = { ...options, translation }
  const model = readModel(body)
  // Budgets are calculated with it before any other validation.
  checkFields(body, limits)
  const messages = [...readSystem(body.system, reading), ...readTurns(body.messages, reading)]
  const tools = readTools(body.tools, reading)
  translation.attempt(() => checkParameters(body), undefined)
  const chat = {
    ...without(body, notForwarded),
    model,
    messages,
    max_completion_tokens: body.max_tokens,
    ...given({
      stop: Array.isArray(body.stop_sequences) && body.stop_sequences.length > 0 ? body.stop_sequences : undefined,
      user: isFields(body.metadata) ? body.metadata.user_id : undefined,
      response_format: readFormat(body, reading),
      ...(options.native
        ? {
            thinking: body.thinking,
            cache_control: body.cache_control,
            reasoning_effort: isFields(body.output_config) ? body.output_config.effort : undefined,
          }
        : { reasoning_effort: translation.attempt(() => readEffort(body, reading), undefined) }),
    }),
    ...(tools.length === 0 ? {} : { tools }),
    ...readToolChoice(body.tool_choice, reading),
  }
  translation.dropGiven(body, [...harmless, ...hostFields, ...(options.native ? [] : ['cache_control'])])
  if (isFields(body.metadata)) translation.dropOthers(body.metadata, fieldsOfMetadata, 'metadata.')
  const { dropped, refused: refusal } = translation
  return { chat, stream: body.stream === true, includeUsage: true, body, dropped, ...(refusal && { refused: refusal }) }
}

function checkParameters(body: Fields): void {
  requireField(body, 'max_tokens', 'count')
  checkFields(body, messagesParameters)
  for (const [name, why] of refused) {
    const value = body[name]
    const isGiven = value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
    if (isGiven) refuseUnsupported(name, why)
  }
  if (isFields(body.metadata)) checkFields(body.metadata, metadataFields, 'metadata.')
}
