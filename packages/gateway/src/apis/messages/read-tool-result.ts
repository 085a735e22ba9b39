import type { Message } from '@stickler/core'
import { type Fields, given } from '../shared/fields.ts'
import { readOptionalObjects, requireField } from '../shared/read-fields.ts'
import { joinParts } from '../shared/text-parts.ts'
import type { MessagesOptions } from './messages-options.ts'
import { readPart } from './read-part.ts'

/** The result of a tool as a message of chat completions, which has no flag for errors: they are marked in words. */
export function readToolResult(block: Fields, path: string, options: MessagesOptions): Message {
  requireField(block, 'tool_use_id', 'name', path)
  const content = resultContent(block.content, `${path}content`, options)
  const cache = options.native ? given({ cache_control: block.cache_control }) : {}
  return { role: 'tool', tool_call_id: block.tool_use_id, content: block.is_error === true ? asError(content) : content, ...cache }
}

function resultContent(content: unknown, param: string, options: MessagesOptions): string | readonly Fields[] {
  if (typeof content === 'string') return content
  const parts = readOptionalObjects(content, param, options.parts).map((part, index) => readPart(part, `${param}[${index}].`, options))
  return parts.length === 0 ? '' : joinParts(parts, 'tool')
}

function asError(content: string | readonly Fields[]): string | readonly Fields[] {
  return typeof content === 'string' ? `Error: ${content}` : [{ type: 'text', text: 'Error:' }, ...content]
}
