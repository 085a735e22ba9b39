import type { Message } from '@stickler/core'
import { type Fields, given } from '../shared/fields.ts'
import { readObjects, refuse, refuseUnsupported, requireField } from '../shared/read-fields.ts'
import { joinParts } from '../shared/text-parts.ts'
import type { MessagesOptions } from './messages-options.ts'
import { isThought, readPart } from './read-part.ts'
import { readToolResult } from './read-tool-result.ts'

/** The system prompt as a message. */
export function readSystem(system: unknown, options: MessagesOptions, param = 'system'): readonly Message[] {
  if (system === undefined || system === null || system === '') return []
  if (typeof system === 'string') return [{ role: 'system', content: system }]
  const parts = readObjects(system, param, options.parts).map((block, index) => {
    const path = `${param}[${index}].`
    if (block.type !== 'text') refuse(`${path}type`, `${path}type must be text.`)
    return readPart(block, path, options)
  })
  return [{ role: 'system', content: options.native ? parts : parts.map(({ text }) => String(text)).join('\n\n') }]
}

/** The messages of chat completions that the turns of a conversation stand for. */
export function readTurns(turns: unknown, options: MessagesOptions): readonly Message[] {
  const messages: Message[] = []
  for (const [index, turn] of readObjects(turns, 'messages', options.messages).entries()) {
    for (const message of readTurn(turn, `messages[${index}].`, options)) messages.push(message)
  }
  return messages
}

function readTurn(turn: Fields, path: string, options: MessagesOptions): readonly Message[] {
  const { role, content } = turn
  if (role === 'system') return readSystem(content, options, `${path}content`)
  if (role !== 'user' && role !== 'assistant') return refuse(`${path}role`, `${path}role must be user, assistant or system.`)
  requireField(turn, 'content', 'text or list', path)
  if (typeof content === 'string') return [{ role, content }]
  if (Array.isArray(content) && content.length === 0) return [{ role, content: '' }]
  const blocks = readObjects(content, `${path}content`, options.parts)
  return role === 'user' ? readUser(blocks, `${path}content`, options) : [readAssistant(blocks, `${path}content`, options)]
}

/** Results of tools are messages of their own, and stand right behind the calls. */
function readUser(blocks: readonly Fields[], param: string, options: MessagesOptions): readonly Message[] {
  const results: Message[] = []
  const parts: Fields[] = []
  for (const [index, block] of blocks.entries()) {
    const path = `${param}[${index}].`
    if (block.type === 'tool_result') results.push(readToolResult(block, path, options))
    else parts.push(readPart(block, path, options))
  }
  return parts.length === 0 ? results : [...results, { role: 'user', content: joinParts(parts, 'user') }]
}

function readAssistant(blocks: readonly Fields[], param: string, options: MessagesOptions): Message {
  const parts: Fields[] = []
  const calls: Fields[] = []
  const thoughts: Fields[] = []
  for (const [index, block] of blocks.entries()) {
    const path = `${param}[${index}].`
    if (block.type === 'tool_use') calls.push(readCall(block, path, options))
    else if (isThought(block)) thoughts.push(block)
    else if (block.type === 'text') parts.push(readPart(block, path, options))
    else refuseUnsupported(`${path}type`, `${path}type must be text, tool_use, thinking or redacted_thinking.`)
  }
  return {
    role: 'assistant',
    content: parts.length === 0 && calls.length > 0 ? null : joinParts(parts, 'assistant'),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(options.native && thoughts.length > 0 ? { thinking_blocks: thoughts } : {}),
  }
}

function readCall(block: Fields, path: string, { native }: MessagesOptions): Fields {
  requireField(block, 'id', 'name', path)
  requireField(block, 'name', 'name', path)
  requireField(block, 'input', 'object', path)
  const cache = native ? given({ cache_control: block.cache_control }) : {}
  return { id: block.id, type: 'function', function: { name: block.name, arguments: JSON.stringify(block.input) }, ...cache }
}
