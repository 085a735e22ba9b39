import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import type { Message } from '../../../engine/runner.ts'
import { readOptionalObjects, requireField } from '../../request/read-fields.ts'
import { asError, joinParts } from '../../request/text-parts.ts'
import type { MessagesReading } from './messages-options.ts'
import { cacheOf, readPart, translatedFields } from './read-part.ts'

/**
 * A tool result as a chat completions message, which has no error flag: errors are marked in the
 * text, unless the upstream has a flag.
 */
export function readToolResult(block: Fields, path: string, reading: MessagesReading): Message {
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
