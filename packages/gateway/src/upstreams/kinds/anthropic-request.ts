import type { Message } from '@stickler/core'
import { isRecord } from '../transport/json.ts'
import type { ChatRequest } from '../upstream.ts'
import { assistantBlocks, type Block, cached, toolResult, userBlocks } from './anthropic-content.ts'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: Block[]
}

/**
 * Writes a request of chat completions as one of Anthropic's Messages.
 * Without an equivalent there, and left out: `response_format`, `logprobs`, `seed`, `logit_bias`, penalties, `reasoning_effort`, audio.
 */
export function anthropicRequest(request: ChatRequest, defaultMaxTokens: number): Record<string, unknown> {
  const { model, messages, stream } = request
  const system = messages.filter(isSystem).flatMap(({ content }) => userBlocks(content))
  return {
    model,
    max_tokens: firstNumber(request.max_tokens, request.max_completion_tokens) ?? defaultMaxTokens,
    messages: turnsOf(messages),
    ...(system.length === 0 ? {} : { system: plain(system) }),
    ...samplingOf(request),
    ...toolsOf(request),
    ...(stream === true ? { stream: true } : {}),
  }
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

/** Neighbours of one role become one turn: answers of tools must stand together, right behind their calls. */
function turnsOf(messages: readonly Message[]): object[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (isSystem(message)) continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) turns.push({ role, content })
  }
  return turns.map(({ role, content }) => ({ role, content: plain(content) }))
}

function blocksOf(message: Message): Block[] {
  if (message.role === 'assistant') return assistantBlocks(message)
  return message.role === 'tool' ? [toolResult(message)] : userBlocks(message.content)
}

/** A single plain text needs no blocks. */
function plain(blocks: readonly Block[]): string | readonly Block[] {
  const [first] = blocks
  const isPlain = blocks.length === 1 && first?.type === 'text' && Object.keys(first).length === 2
  return isPlain && typeof first.text === 'string' ? first.text : blocks
}

function samplingOf({ temperature, top_p, top_k, stop, user, thinking, metadata, cache_control }: ChatRequest): object {
  const stops = (Array.isArray(stop) ? stop : [stop]).filter((word) => typeof word === 'string' && word !== '')
  const userId = typeof user === 'string' && user !== '' ? user : isRecord(metadata) ? metadata.user_id : undefined
  return {
    // OpenAI's scale ends at 2, Anthropic's at 1.
    ...(typeof temperature === 'number' ? { temperature: Math.min(1, temperature) } : {}),
    ...(typeof top_p === 'number' ? { top_p } : {}),
    ...(typeof top_k === 'number' ? { top_k } : {}),
    ...(stops.length === 0 ? {} : { stop_sequences: stops }),
    ...(typeof userId === 'string' ? { metadata: { user_id: userId } } : {}),
    ...(isRecord(thinking) ? { thinking } : {}),
    ...cached({ cache_control }),
  }
}

function toolsOf({ tools, tool_choice, parallel_tool_calls }: ChatRequest): object {
  if (!Array.isArray(tools) || tools.length === 0) return {}
  const choice = toolChoice(tool_choice)
  const single = parallel_tool_calls === false && choice?.type !== 'none' ? { disable_parallel_tool_use: true } : {}
  const all = choice === undefined && parallel_tool_calls !== false ? undefined : { ...(choice ?? { type: 'auto' }), ...single }
  return { tools: tools.filter(isRecord).map(toolOf), ...(all === undefined ? {} : { tool_choice: all }) }
}

function toolOf(tool: Record<string, unknown>): object {
  if (!isRecord(tool.function)) return tool
  const { name, description, parameters } = tool.function
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    input_schema: isRecord(parameters) ? parameters : { type: 'object', properties: {} },
    ...cached(tool),
  }
}

function toolChoice(choice: unknown): Record<string, unknown> | undefined {
  if (choice === 'auto' || choice === 'none') return { type: choice }
  if (choice === 'required') return { type: 'any' }
  if (!isRecord(choice)) return undefined
  return isRecord(choice.function) ? { type: 'tool', name: choice.function.name } : choice
}

function firstNumber(...values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => typeof value === 'number')
}
