import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { isNothing, isOther, isParsedFrom, saysIn } from '../shared/unchecked-values.ts'

/** Members with texts, in this or other APIs; nothing is checked in events without a block, or beside the content of a message. */
const beside = [
  'content_block',
  'content',
  'delta',
  'text',
  'partial_json',
  'message',
  'response',
  'item',
  'part',
  'output',
  'output_text',
  'completion',
]

/** Whether an event has text or calls where none are checked, or other values where they are; `added` is the type of the block that it continues. */
export function hasUnread(type: string, event: Fields, added: unknown): boolean {
  const { message, content_block: block, delta } = event
  switch (type) {
    case 'content_block_delta':
      return !isFields(delta) || !isReadDelta(delta, added)
    case 'content_block_start':
      return !isReadBlock(block)
    case 'message_start':
      return !isNothing(message) && (!isFields(message) || hasUnreadMessage(message))
    case 'message_delta':
      return (isFields(delta) ? saysIn(delta, beside) || explainsNothing(delta) : !isNothing(delta)) || saysIn(event, beside, 'delta')
    default:
      return saysIn(event, beside)
  }
}

/** The same for a whole message. */
export function hasUnreadMessage(message: Fields): boolean {
  const { content, parsed_output: parsed } = message
  if (saysIn(message, beside, 'content') || explainsNothing(message)) return true
  if (isNothing(content)) return !isNothing(parsed)
  if (!Array.isArray(content) || !content.every(isReadBlock)) return true
  return !isNothing(parsed) && !content.some((block) => isFields(block) && isParsedFrom(parsed, block.text))
}

/** An explanation of the end is additional text, unless the model refused. */
function explainsNothing({ stop_reason: reason, stop_details: details }: Fields): boolean {
  return reason !== 'refusal' && isFields(details) && saysIn(details, ['explanation'])
}

/** Calls of tools that Anthropic runs. */
const hosted: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use'])

function isReadBlock(block: unknown): boolean {
  if (!isFields(block)) return false
  const { type, text, thinking, name, input, parsed_output: parsed } = block
  if (type === 'text') return !isOther(text) && isParsedFrom(parsed, text)
  if (type === 'thinking') return !isOther(thinking)
  // Blocks of unknown types are passed on, unless they are calls, which anyone may execute.
  if (type !== 'tool_use') return !String(type).endsWith('tool_use') || hosted.has(type)
  return typeof name === 'string' && (isNothing(input) || isFields(input))
}

/** The member of each kind of delta; clients append it to earlier text, whatever it is. */
const addedBy: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['input_json_delta', 'partial_json'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'signature'],
])

/** Deltas of unknown types are passed on if their block has such a type. */
function isReadDelta(delta: Fields, block: unknown): boolean {
  const added = addedBy.get(delta.type)
  if (added !== undefined) return typeof delta[added] === 'string'
  return (block !== 'text' && block !== 'tool_use') || !saysIn(delta, ['text', 'partial_json'])
}
