import type { Message } from '@stickler/core'
import { contentText } from '@stickler/core/runners'
import { isRecord, parseJson } from '../transport/json.ts'

/** A block of Anthropic's content. */
export type Block = Readonly<Record<string, unknown>>

/** The blocks of a message of a user. */
export function userBlocks(content: Message['content']): Block[] {
  if (typeof content === 'string') return textBlock(content)
  return (content ?? []).flatMap(partBlocks)
}

/** The blocks of a message of the model: what it thought, what it said, what it called. */
export function assistantBlocks({ content, thinking_blocks, tool_calls }: Message): Block[] {
  const thoughts = Array.isArray(thinking_blocks) ? thinking_blocks.filter(isRecord) : []
  const calls = Array.isArray(tool_calls) ? tool_calls.filter(isRecord) : []
  return [...thoughts, ...userBlocks(content), ...calls.map(toolUse)]
}

/** The block of a tool's answer. */
export function toolResult(message: Message): Block {
  const { tool_call_id, content } = message
  const blocks = userBlocks(content)
  const isText = blocks.every(({ type }) => type === 'text')
  return {
    type: 'tool_result',
    tool_use_id: String(tool_call_id ?? ''),
    content: isText ? contentText(content) : blocks,
    ...cached(message),
  }
}

/** Where the cache of a prompt ends, when it is told. */
export function cached({ cache_control }: Block): Block {
  return isRecord(cache_control) ? { cache_control } : {}
}

/** Anthropic refuses empty texts. */
function textBlock(text: string): Block[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function partBlocks(part: unknown): Block[] {
  if (typeof part === 'string') return textBlock(part)
  if (!isRecord(part)) return []
  if (part.type === 'text') return part.text === '' ? [] : [part]
  if (part.type === 'image_url') return imageBlocks(isRecord(part.image_url) ? part.image_url.url : part.image_url)
  if (part.type === 'refusal') return textBlock(typeof part.refusal === 'string' ? part.refusal : '')
  if (part.type === 'file' && isRecord(part.file)) return documentBlocks(part.file.file_data)
  // What is neither may be a block of Anthropic's own.
  return [part]
}

function imageBlocks(url: unknown): Block[] {
  if (typeof url !== 'string') return []
  return [{ type: 'image', source: base64Source(url) ?? { type: 'url', url } }]
}

function documentBlocks(data: unknown): Block[] {
  const source = typeof data === 'string' ? base64Source(data) : undefined
  return source === undefined ? [] : [{ type: 'document', source }]
}

/** Takes a data URL apart; by index, because it may be many megabytes long. */
function base64Source(url: string): Block | undefined {
  const mark = url.slice(0, 200).indexOf(';base64,')
  if (!url.startsWith('data:') || mark === -1) return undefined
  return { type: 'base64', media_type: url.slice('data:'.length, mark).split(';')[0], data: url.slice(mark + ';base64,'.length) }
}

function toolUse(call: Block): Block {
  const { id, function: called } = call
  const { name, arguments: given } = isRecord(called) ? called : {}
  return { type: 'tool_use', id: String(id ?? ''), name: String(name ?? ''), input: toolInput(given), ...cached(call) }
}

/** Anthropic wants an object; arguments that are none are shown to the model as they were written. */
function toolInput(given: unknown): Block {
  if (isRecord(given)) return given
  const text = typeof given === 'string' ? given : ''
  if (text.trim() === '') return {}
  const parsed = parseJson(text)
  return isRecord(parsed) ? parsed : { arguments: text }
}
