import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { hostFields, withheld } from '../../request/host-fields.ts'
import {
  checkFields,
  type FieldTable,
  readModel,
  readOptionalObjects,
  refuse,
  refuseUnsupported,
  requireField,
} from '../../request/read-fields.ts'
import { checkSchemaSize } from '../../request/schema-limit.ts'
import { Translation } from '../../request/translation.ts'
import type { ClientRequest } from '../../shared/api.ts'
import { given, without } from '../../shared/selected-fields.ts'
import { cacheOf, type MessagesOptions, type MessagesReading, translatedFields } from './read-part.ts'
import { readSystem, readTurns } from './read-turns.ts'

const configFields: FieldTable = new Map([
  ['effort', 'text'],
  ['format', 'object'],
])
const fieldsOfConfig = new Set(configFields.keys())
const fieldsOfThinking = new Set(['type', 'budget_tokens'])
const fieldsOfFormat = new Set(['type', 'schema'])

const kinds: readonly unknown[] = ['enabled', 'disabled', 'adaptive', 'between_tools']

/** Thinking budgets up to which the effort is low or medium. */
const lowBudget = 4096
const mediumBudget = 16_384

/** The reasoning effort, as in chat completions; undefined where the provider may choose. */
function readEffort({ output_config: config, thinking }: Fields, { translation }: MessagesReading): string | undefined {
  const effort = isFields(config) ? config.effort : undefined
  if (isFields(thinking)) {
    translation.dropOthers(thinking, fieldsOfThinking, 'thinking.')
    if (!kinds.includes(thinking.type)) refuse('thinking.type', 'thinking.type must be enabled, disabled, adaptive or between_tools.')
    if (thinking.type === 'enabled') requireField(thinking, 'budget_tokens', 'count', 'thinking.')
  }
  if (isFields(config)) {
    checkFields(config, configFields, 'output_config.')
  }
  if (typeof effort === 'string') {
    // The effort already covers it.
    if (isFields(thinking)) translation.drop('thinking')
    if (effort !== 'max' && effort !== 'xhigh') return effort
    translation.drop('output_config.effort')
    return 'high'
  }
  return isFields(thinking) ? effortOf(thinking, translation) : undefined
}

function effortOf({ type, budget_tokens: tokens }: Fields, translation: Translation): string | undefined {
  if (type === 'enabled') {
    const budget = Number(tokens)
    if (budget <= lowBudget) return 'low'
    return budget <= mediumBudget ? 'medium' : 'high'
  }
  // A provider of another kind that reasons by itself cannot be stopped.
  translation.drop('thinking')
  return undefined
}

/** The response format, as in chat completions. */
function readFormat({ output_config: config, output_format: older }: Fields, { translation }: MessagesReading): Fields | undefined {
  const inConfig = isFields(config) && isFields(config.format)
  if (isFields(config)) translation.dropOthers(config, fieldsOfConfig, 'output_config.')
  const format = inConfig ? config.format : older
  if (inConfig && older !== undefined && older !== null) translation.drop('output_format')
  if (!isFields(format)) return undefined
  const path = inConfig ? 'output_config.format.' : 'output_format.'
  checkSchemaSize(format.schema, `${path}schema`)
  return translation.attempt(() => {
    if (format.type !== 'json_schema') refuse(`${path}type`, `${path}type must be json_schema.`)
    requireField(format, 'schema', 'object', path)
    translation.dropOthers(format, fieldsOfFormat, path)
    return { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema, strict: true } }
  }, undefined)
}

const toolFields: FieldTable = new Map([
  ['description', 'text'],
  ['strict', 'boolean'],
])

/** The types of tools that Anthropic runs. */
const hosted = /^(?:web_search|web_fetch|code_execution|tool_search_tool|mcp_toolset)/

/** The tools as in chat completions; tools that Anthropic defines cannot be translated. */
function readTools(tools: unknown, reading: MessagesReading): readonly Fields[] {
  return readOptionalObjects(tools, 'tools', reading.tools).flatMap((tool, index) => {
    const path = `tools[${index}].`
    // The reader of the answers compiles it, even where nothing is translated.
    checkSchemaSize(tool.input_schema, `${path}input_schema`)
    // Calls of an untranslatable tool are still calls of an offered tool, unless Anthropic runs it.
    const named =
      typeof tool.name === 'string' && !hosted.test(String(tool.type)) ? [{ type: 'function', function: { name: tool.name } }] : []
    return reading.translation.attempt(() => [readTool(tool, path, reading)], named)
  })
}

function readTool(tool: Fields, path: string, reading: MessagesReading): Fields {
  if ((tool.type ?? 'custom') !== 'custom')
    refuseUnsupported(`${path}type`, `${path}type must be custom: provider tools are not supported.`)
  requireField(tool, 'name', 'name', path)
  requireField(tool, 'input_schema', 'object', path)
  checkFields(tool, toolFields, path)
  reading.translation.dropOthers(tool, translatedFields(reading, 'name', 'description', 'input_schema', 'strict'), path)
  const { name, description, input_schema: parameters, strict } = tool
  return { type: 'function', function: given({ name, description, parameters, strict }), ...cacheOf(tool, reading) }
}

const fieldsOfChoice = new Set(['type', 'name', 'disable_parallel_tool_use'])

/** `tool_choice` and `parallel_tool_calls` of chat completions. */
function readToolChoice(choice: unknown, { translation }: MessagesReading): Fields {
  if (!isFields(choice)) return {}
  translation.dropOthers(choice, fieldsOfChoice, 'tool_choice.')
  const parallel = choice.disable_parallel_tool_use === true ? { parallel_tool_calls: false } : {}
  return translation.attempt(() => ({ tool_choice: chosen(choice), ...parallel }), {})
}

function chosen(choice: Fields): unknown {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type
    case 'any':
      return 'required'
    case 'tool':
      requireField(choice, 'name', 'name', 'tool_choice.')
      return { type: 'function', function: { name: choice.name } }
    default:
      return refuse('tool_choice.type', 'tool_choice.type must be auto, any, tool or none.')
  }
}

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
