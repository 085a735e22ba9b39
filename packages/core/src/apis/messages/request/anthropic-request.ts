import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'
import { DroppedFields } from '../../request/dropped-fields.ts'
import { type Block, messageBlocks } from './anthropic-content.ts'
import { parametersOf, refuseUnfit, translatedParameters } from './anthropic-parameters.ts'
import { toolsOf } from './anthropic-tools.ts'

/** A request of the Messages API, and the fields that it leaves out without meaning something else. */
export interface AnthropicRequest {
  readonly body: Fields
  readonly dropped: readonly string[]
}

/** A request in the shape of chat completions. */
export interface ChatFields {
  readonly model: string
  readonly messages: readonly Message[]
  readonly [field: string]: unknown
}

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: Block[]
}

/** Writes a request of chat completions as one of Anthropic's Messages; throws a failure of status 400 that names the field when that is impossible. */
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
