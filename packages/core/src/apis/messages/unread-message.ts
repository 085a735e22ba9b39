import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { isNothing, isOther, isParsedFrom, saysIn } from '../shared/unread-places.ts'

/** Members that hold texts, here or in other APIs; in events that are not about a block, and beside its content in a message, nothing is read. */
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

/** Whether an event of a stream holds text or calls where none are read, or something else where they are; `added` is the type of the block that it adds to. */
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

/** The same for a message as a whole. */
export function hasUnreadMessage(message: Fields): boolean {
  const { content, parsed_output: parsed } = message
  if (saysIn(message, beside, 'content') || explainsNothing(message)) return true
  if (isNothing(content)) return !isNothing(parsed)
  if (!Array.isArray(content) || !content.every(isReadBlock)) return true
  return !isNothing(parsed) && !content.some((block) => isFields(block) && isParsedFrom(parsed, block.text))
}

/** What explains the end of an answer is text of its own, unless the model refused. */
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
  // Blocks of unknown types are passed on, unless they are calls: who runs them is not known.
  if (type !== 'tool_use') return !String(type).endsWith('tool_use') || hosted.has(type)
  return typeof name === 'string' && (isNothing(input) || isFields(input))
}

/** What each kind of delta adds; clients join it with what came before, whatever it is. */
const addedBy: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['input_json_delta', 'partial_json'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'signature'],
])

/** Deltas of unknown types are passed on where they belong to a block of such a type. */
function isReadDelta(delta: Fields, block: unknown): boolean {
  const added = addedBy.get(delta.type)
  if (added !== undefined) return typeof delta[added] === 'string'
  return (block !== 'text' && block !== 'tool_use') || !saysIn(delta, ['text', 'partial_json'])
}
