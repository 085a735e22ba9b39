import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'
import { DroppedFields } from '../../request/dropped-fields.ts'
import { fitAnthropic, messagesFormat } from '../../shared/structured-output.ts'
import { type Block, cached, messageBlocks, refuseField } from './anthropic-content.ts'
import { joinedTurns, plain } from './messages-turns.ts'

/** Parameters of chat completions that are translated, or whose absence an answer would not show. */
const translatedParameters: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'max_tokens', 'max_completion_tokens', 'stream', 'stream_options', 'n', 'best_of'],
  ...['temperature', 'top_p', 'top_k', 'stop', 'user', 'safety_identifier', 'metadata', 'thinking', 'cache_control', 'service_tier'],
  ...['response_format', 'reasoning_effort', 'tools', 'tool_choice', 'parallel_tool_calls'],
])

/** Parameters whose loss would change the meaning, with the values that have no effect. */
const unfit: readonly (readonly [name: string, why: string, isNothing: (value: unknown) => boolean])[] = [
  ['logprobs', 'is not supported: the upstream of this model returns no probabilities.', (value) => value === false],
  ['top_logprobs', 'is not supported: the upstream of this model returns no probabilities.', (value) => value === 0],
  ['logit_bias', 'is not supported by the upstream of this model.', (value) => isFields(value) && Object.keys(value).length === 0],
  ['audio', 'is not supported: the upstream of this model does not produce audio.', () => false],
  [
    'modalities',
    'must be ["text"]: the upstream of this model writes nothing else.',
    (value) => Array.isArray(value) && value.every((one) => one === 'text'),
  ],
  ['web_search_options', 'is not supported: give the upstream of this model a tool for it.', () => false],
  ['functions', 'cannot be translated; use tools.', (value) => Array.isArray(value) && value.length === 0],
  ['function_call', 'cannot be translated; use tool_choice.', (value) => value === 'none' || value === 'auto'],
]

/** Refuses parameters without an equivalent that a client would miss in the answer. */
function refuseUnfit(request: Fields): void {
  for (const [name, why, isNothing] of unfit) {
    const value = request[name]
    if (value !== undefined && value !== null && !isNothing(value)) refuseField(name, why)
  }
}

/** Limits, sampling, thinking and format of the answer. */
function parametersOf(request: Fields, dropped: DroppedFields): Fields {
  const { temperature, top_p, top_k, stop, thinking, cache_control: cache, service_tier: tier } = request
  const stops = (Array.isArray(stop) ? stop : [stop]).filter((word) => typeof word === 'string' && word !== '')
  const userId = userOf(request, dropped)
  const isHot = typeof temperature === 'number' && temperature > 1
  if (isHot) dropped.drop('temperature')
  const config = { ...effortOf(request, dropped), ...formatOf(request.response_format, dropped) }
  return {
    // OpenAI's scale ends at 2, Anthropic's at 1.
    ...(typeof temperature === 'number' ? { temperature: isHot ? 1 : temperature } : {}),
    ...(typeof top_p === 'number' ? { top_p } : {}),
    ...(typeof top_k === 'number' ? { top_k } : {}),
    ...(stops.length === 0 ? {} : { stop_sequences: stops }),
    ...(userId === undefined ? {} : { metadata: { user_id: userId } }),
    ...(isFields(thinking) ? { thinking } : request.reasoning_effort === 'none' ? { thinking: { type: 'disabled' } } : {}),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...(isFields(cache) ? { cache_control: cache } : {}),
    ...tierOf(tier, dropped),
  }
}

function userOf({ user, safety_identifier: identifier, metadata }: Fields, dropped: DroppedFields): string | undefined {
  const given = isFields(metadata) ? metadata : {}
  dropped.dropOthers(given, fieldsOfMetadata, 'metadata.')
  const found: readonly (readonly [string, unknown])[] = [
    ['user', user],
    ['safety_identifier', identifier],
    ['metadata.user_id', given.user_id],
  ]
  const [first, ...others] = found.filter((one): one is readonly [string, string] => typeof one[1] === 'string' && one[1] !== '')
  for (const [name] of others) dropped.drop(name)
  return first?.[1]
}

const fieldsOfMetadata = new Set(['user_id'])
const efforts: ReadonlyMap<unknown, string> = new Map([
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'max'],
  ['max', 'max'],
])

function effortOf({ reasoning_effort: asked }: Fields, dropped: DroppedFields): Fields {
  const effort = efforts.get(asked)
  if (effort === undefined && asked !== undefined && asked !== null && asked !== 'none') dropped.drop('reasoning_effort')
  return effort === undefined ? {} : { effort }
}

const fieldsOfFormat = new Set(['type', 'json_schema'])
/** A name is a label: nothing depends on it. */
const fieldsOfSchema = new Set(['name', 'schema', 'strict'])

/** Only a schema has an equivalent: Anthropic has no mode for arbitrary JSON. */
function formatOf(format: unknown, dropped: DroppedFields): Fields {
  if (!isFields(format) || format.type === 'text') return {}
  const { type, json_schema: given } = format
  if (type !== 'json_schema') return refuseField('response_format.type', 'must be text or json_schema for the upstream of this model.')
  if (!isFields(given) || !isFields(given.schema)) return refuseField('response_format.json_schema.schema', 'must be an object.')
  dropped.dropOthers(format, fieldsOfFormat, 'response_format.')
  dropped.dropOthers(given, fieldsOfSchema, 'response_format.json_schema.')
  // What the API does not enforce is said in descriptions; what it has no words for, it refuses by itself.
  return { format: messagesFormat(fitAnthropic(given.schema) ?? { schema: given.schema, strict: true }) }
}

/** Service tiers that affect only price and speed. */
function tierOf(tier: unknown, dropped: DroppedFields): Fields {
  if (tier === 'auto' || tier === 'standard_only') return { service_tier: tier }
  if (tier === 'default') return { service_tier: 'standard_only' }
  if (tier !== undefined && tier !== null) dropped.drop('service_tier')
  return {}
}

/** The tools of a request and which of them may be called. */
function toolsOf({ tools, tool_choice, parallel_tool_calls }: Fields, dropped: DroppedFields): Fields {
  if (!Array.isArray(tools) || tools.length === 0) {
    dropped.dropGiven({ tool_choice, parallel_tool_calls }, ['tool_choice', 'parallel_tool_calls'])
    return {}
  }
  const choice = toolChoice(tool_choice, dropped)
  const single = parallel_tool_calls === false && choice?.type !== 'none' ? { disable_parallel_tool_use: true } : {}
  const all = choice === undefined && parallel_tool_calls !== false ? undefined : { ...(choice ?? { type: 'auto' }), ...single }
  const translated = tools.map((tool: unknown, index) => toolOf(tool, `tools[${index}].`, dropped))
  return { tools: translated, ...(all === undefined ? {} : { tool_choice: all }) }
}

const fieldsOfTool = new Set(['type', 'function', 'cache_control'])
const fieldsOfFunction = new Set(['name', 'description', 'parameters', 'strict'])

function toolOf(tool: unknown, path: string, dropped: DroppedFields): Fields {
  if (!isFields(tool)) return refuseField(path.slice(0, -1), 'must be an object.')
  if (isFields(tool.custom)) return refuseField(`${path}type`, 'must be function for the upstream of this model.')
  // Any other tool may be one of Anthropic's own.
  if (!isFields(tool.function)) return tool
  const { name, description, parameters, strict } = tool.function
  dropped.dropOthers(tool, fieldsOfTool, path)
  dropped.dropOthers(tool.function, fieldsOfFunction, `${path}function.`)
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    input_schema: isFields(parameters) ? parameters : { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...cached(tool),
  }
}

const fieldsOfChoice = new Set(['type', 'function'])

function toolChoice(choice: unknown, dropped: DroppedFields): Fields | undefined {
  if (choice === 'auto' || choice === 'none') return { type: choice }
  if (choice === 'required') return { type: 'any' }
  if (choice === undefined || choice === null) return undefined
  if (!isFields(choice)) return refuseField('tool_choice', 'must be auto, none, required or a tool.')
  if (choice.type === 'allowed_tools' || choice.type === 'custom')
    return refuseField('tool_choice.type', 'must be function for the upstream of this model.')
  // A choice without a function may be one of Anthropic's own.
  if (!isFields(choice.function)) return choice
  dropped.dropOthers(choice, fieldsOfChoice, 'tool_choice.')
  return { type: 'tool', name: choice.function.name }
}

/** A request of the Messages API, and the fields dropped without changing its meaning. */
interface AnthropicRequest {
  readonly body: Fields
  readonly dropped: readonly string[]
}

/** A request in the format of chat completions. */
export interface ChatFields {
  readonly model: string
  readonly messages: readonly Message[]
  readonly [field: string]: unknown
}

/** Translates a chat completions request to Anthropic's Messages API; throws a failure of status 400 that names the field if that is impossible. */
export function anthropicRequest(request: ChatFields, defaultMaxTokens: number): AnthropicRequest {
  const dropped = new DroppedFields()
  refuseUnfit(request)
  const system: Block[] = []
  const said: [role: string, blocks: readonly Block[]][] = []
  for (const [index, message] of request.messages.entries()) {
    const content = messageBlocks(message, `messages[${index}].`, dropped)
    if (isSystem(message)) for (const block of content) system.push(block)
    else said.push([message.role, content])
  }
  const body = {
    model: request.model,
    max_tokens: firstNumber(request.max_tokens, request.max_completion_tokens) ?? defaultMaxTokens,
    messages: joinedTurns(said),
    ...(system.length === 0 ? {} : { system: plain(system) }),
    ...parametersOf(request, dropped),
    ...toolsOf(request, dropped),
    ...(request.stream === true ? { stream: true } : {}),
  }
  dropped.dropOthers(request, translatedParameters)
  return { body, dropped: dropped.dropped }
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

function firstNumber(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === 'number')
}
