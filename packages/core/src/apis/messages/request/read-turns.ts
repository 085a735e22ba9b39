import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'
import { readObjects, readOptionalObjects, refuse, refuseUnsupported, requireField } from '../../request/read-fields.ts'
import { asError, joinParts } from '../../request/text-parts.ts'
import { cacheOf, isThought, type MessagesReading, readPart, translatedFields } from './read-part.ts'

/** The system prompt as a message. */
export function readSystem(system: unknown, reading: MessagesReading, param = 'system'): readonly Message[] {
  if (system === undefined || system === null || system === '') return []
  if (typeof system === 'string') return [{ role: 'system', content: system }]
  const parts = readObjects(system, param, reading.parts).flatMap((block, index) => {
    const path = `${param}[${index}].`
    return reading.translation.attempt(() => {
      if (block.type !== 'text') refuse(`${path}type`, `${path}type must be text.`)
      return [readPart(block, path, reading)]
    }, [])
  })
  return [{ role: 'system', content: reading.native ? parts : parts.map(({ text }) => String(text)).join('\n\n') }]
}

/** The turns of a conversation as chat completions messages. */
export function readTurns(turns: unknown, reading: MessagesReading): readonly Message[] {
  const messages: Message[] = []
  for (const [index, turn] of readObjects(turns, 'messages', reading.messages).entries()) {
    for (const message of readTurn(turn, `messages[${index}].`, reading)) messages.push(message)
  }
  return messages
}

const fieldsOfTurn = new Set(['role', 'content'])

function readTurn(turn: Fields, path: string, reading: MessagesReading): readonly Message[] {
  const { role, content } = turn
  const { translation } = reading
  translation.dropOthers(turn, fieldsOfTurn, path)
  if (role === 'system') return readSystem(content, reading, `${path}content`)
  translation.attempt(() => {
    if (role !== 'user' && role !== 'assistant') refuse(`${path}role`, `${path}role must be user, assistant or system.`)
    requireField(turn, 'content', 'text or list', path)
  }, undefined)
  const speaker = role === 'assistant' ? 'assistant' : 'user'
  if (!Array.isArray(content) || content.length === 0) return [{ role: speaker, content: typeof content === 'string' ? content : '' }]
  const blocks = readObjects(content, `${path}content`, reading.parts)
  return speaker === 'user' ? readUser(blocks, `${path}content`, reading) : [readAssistant(blocks, `${path}content`, reading)]
}

/** Tool results are separate messages, right after the calls. */
function readUser(blocks: readonly Fields[], param: string, reading: MessagesReading): readonly Message[] {
  const results: Message[] = []
  const parts: Fields[] = []
  for (const [index, block] of blocks.entries()) {
    const path = `${param}[${index}].`
    reading.translation.attempt(() => {
      if (block.type === 'tool_result') results.push(readToolResult(block, path, reading))
      else parts.push(readPart(block, path, reading))
    }, undefined)
  }
  const isSaid = parts.length > 0 || results.length === 0
  return isSaid ? [...results, { role: 'user', content: joinParts(parts, 'user') }] : results
}

function readAssistant(blocks: readonly Fields[], param: string, reading: MessagesReading): Message {
  const { translation, native } = reading
  const parts: Fields[] = []
  const calls: Fields[] = []
  const thoughts: Fields[] = []
  for (const [index, block] of blocks.entries()) {
    const path = `${param}[${index}].`
    translation.attempt(() => {
      if (block.type === 'tool_use') calls.push(readCall(block, path, reading))
      else if (isThought(block)) thoughts.push(block)
      else if (block.type === 'text') parts.push(readPart(block, path, reading))
      else refuseUnsupported(`${path}type`, `${path}type must be text, tool_use, thinking or redacted_thinking.`)
    }, undefined)
    if (isThought(block) && !native) translation.drop(`${path}${String(block.type)}`)
  }
  return {
    role: 'assistant',
    content: parts.length === 0 && calls.length > 0 ? null : joinParts(parts, 'assistant'),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(native && thoughts.length > 0 ? { thinking_blocks: thoughts } : {}),
  }
}

function readCall(block: Fields, path: string, reading: MessagesReading): Fields {
  requireField(block, 'id', 'name', path)
  requireField(block, 'name', 'name', path)
  requireField(block, 'input', 'object', path)
  reading.translation.dropOthers(block, translatedFields(reading, 'id', 'name', 'input'), path)
  return {
    id: block.id,
    type: 'function',
    function: { name: block.name, arguments: JSON.stringify(block.input) },
    ...cacheOf(block, reading),
  }
}

/**
 * A tool result as a chat completions message, which has no error flag: errors are marked in the
 * text, unless the upstream has a flag.
 */
function readToolResult(block: Fields, path: string, reading: MessagesReading): Message {
  requireField(block, 'tool_use_id', 'name', path)
  const content = resultContent(block.content, `${path}content`, reading)
  reading.translation.dropOthers(block, translatedFields(reading, 'tool_use_id', 'content', 'is_error'), path)
  const isError = block.is_error === true
  return {
    role: 'tool',
    tool_call_id: block.tool_use_id,
    content: isError && !reading.native ? asError(content) : content,
    ...(isError && reading.native ? { is_error: true } : {}),
    ...cacheOf(block, reading),
  }
}

function resultContent(content: unknown, param: string, reading: MessagesReading): string | readonly Fields[] {
  if (typeof content === 'string') return content
  const parts = readOptionalObjects(content, param, reading.parts).map((part, index) => readPart(part, `${param}[${index}].`, reading))
  return parts.length === 0 ? '' : joinParts(parts, 'tool')
}
