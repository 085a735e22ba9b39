import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'
import { DroppedFields } from '../../request/dropped-fields.ts'
import { type Block, cached, messageBlocks } from './anthropic-content.ts'
import { parametersOf, refuseUnfit, translatedParameters } from './anthropic-parameters.ts'
import { refuseField } from './refuse-field.ts'

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
export interface AnthropicRequest {
  readonly body: Fields
  readonly dropped: readonly string[]
}

/** A request in the format of chat completions. */
export interface ChatFields {
  readonly model: string
  readonly messages: readonly Message[]
  readonly [field: string]: unknown
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: Block[]
}

/** Translates a chat completions request to Anthropic's Messages API; throws a failure of status 400 that names the field if that is impossible. */
export function anthropicRequest(request: ChatFields, defaultMaxTokens: number): AnthropicRequest {
  const dropped = new DroppedFields()
  refuseUnfit(request)
  const system: Block[] = []
  const turns: Turn[] = []
  for (const [index, message] of request.messages.entries()) {
    const content = messageBlocks(message, `messages[${index}].`, dropped)
    if (isSystem(message)) for (const block of content) system.push(block)
    else addTurn(turns, message.role === 'assistant' ? 'assistant' : 'user', content)
  }
  const body = {
    model: request.model,
    max_tokens: firstNumber(request.max_tokens, request.max_completion_tokens) ?? defaultMaxTokens,
    messages: turns.map(({ role, content }) => ({ role, content: plain(content) })),
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

/** Adjacent messages of one role become one turn: tool results must be together, right after their calls. */
function addTurn(turns: Turn[], role: Turn['role'], content: readonly Block[]): void {
  const last = turns.at(-1)
  if (last?.role === role) for (const block of content) last.content.push(block)
  else if (content.length > 0) turns.push({ role, content: [...content] })
}

/** A single plain text needs no blocks. */
function plain(blocks: readonly Block[]): string | readonly Block[] {
  const [first] = blocks
  const isPlain = blocks.length === 1 && first?.type === 'text' && Object.keys(first).length === 2
  return isPlain && typeof first.text === 'string' ? first.text : blocks
}

function firstNumber(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === 'number')
}
