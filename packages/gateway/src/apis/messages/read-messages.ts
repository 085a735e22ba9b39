import { type Fields, given, isFields, without } from '../shared/fields.ts'
import { withheld } from '../shared/host-fields.ts'
import type { ClientRequest } from '../shared/protocol.ts'
import { checkFields, type FieldTable, readModel, refuseUnsupported, requireField } from '../shared/read-fields.ts'
import type { MessagesOptions } from './messages-options.ts'
import { readEffort, readFormat } from './read-output-options.ts'
import { readToolChoice, readTools } from './read-tools.ts'
import { readSystem, readTurns } from './read-turns.ts'

const parameters: FieldTable = new Map([
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

const metadataFields: FieldTable = new Map([['user_id', 'text']])

/** Why a parameter that is given cannot be honoured. */
const refused: readonly (readonly [name: string, why: string])[] = [
  ['container', 'container is not supported: this gateway runs no code.'],
  ['mcp_servers', 'mcp_servers is not supported: this gateway runs no tools.'],
  ['inference_geo', 'inference_geo is not supported: the gateway chooses the provider.'],
  ['n', 'n is not a parameter of this endpoint; it gives one answer.'],
]

const notForwarded = withheld(
  ...[
    'system',
    'max_tokens',
    'stop_sequences',
    'metadata',
    'thinking',
    'tools',
    'tool_choice',
    'output_config',
    'output_format',
    'cache_control',
    'stream_options',
  ],
  // Of use to Anthropic alone; none of them changes what a client may expect of an answer.
  ...['service_tier', 'context_management', 'speed', 'diagnostics', 'user_profile_id', 'workspace_id'],
  ...['anthropic_version', 'anthropic_beta', 'betas', ...refused.map(([name]) => name)],
)

/** Reads a request of the Messages API and puts it as one of chat completions. */
export function readMessages(body: Fields, options: MessagesOptions): ClientRequest {
  const model = readModel(body)
  requireField(body, 'max_tokens', 'count')
  checkFields(body, parameters)
  checkRefused(body)
  if (isFields(body.metadata)) checkFields(body.metadata, metadataFields, 'metadata.')
  const tools = readTools(body.tools, options)
  const chat = {
    ...without(body, notForwarded),
    model,
    messages: [...readSystem(body.system, options), ...readTurns(body.messages, options)],
    max_completion_tokens: body.max_tokens,
    ...given({
      stop: Array.isArray(body.stop_sequences) && body.stop_sequences.length > 0 ? body.stop_sequences : undefined,
      user: isFields(body.metadata) ? body.metadata.user_id : undefined,
      response_format: readFormat(body),
      ...(options.native ? { thinking: body.thinking, cache_control: body.cache_control } : { reasoning_effort: readEffort(body) }),
    }),
    ...(tools.length === 0 ? {} : { tools }),
    ...readToolChoice(body.tool_choice),
  }
  return { chat, stream: body.stream === true, includeUsage: true, body }
}

function checkRefused(body: Fields): void {
  for (const [name, why] of refused) {
    const value = body[name]
    const isGiven = value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
    if (isGiven) refuseUnsupported(name, why)
  }
}
