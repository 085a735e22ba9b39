import { type Fields, isFields } from '../fields.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame } from '../protocol.ts'
import { reasoningOf, refusalOf } from '../reasoning.ts'
import { callId, idStem } from '../reply-ids.ts'
import { verdictsBody } from '../verdict-body.ts'
import { messagesUsage } from './messages-usage.ts'
import { isThought } from './read-part.ts'
import { stopOf } from './stop-reason.ts'
import { toolInput } from './tool-input.ts'

/** The head of a message. */
export function messageHead(frame: ReplyFrame): Fields {
  return { id: `msg_${idStem(frame.id)}`, type: 'message', role: 'assistant', model: frame.model }
}

/** The body of a reply of the Messages API. */
export function messagesReply(request: ClientRequest, reply: FinalReply): Fields {
  const [choice] = reply.choices
  return {
    ...messageHead(reply),
    content: choice ? content(choice, reply.id) : [],
    ...(choice ? stopOf(choice, request.body.stop_sequences) : { stop_reason: 'end_turn', stop_sequence: null }),
    usage: messagesUsage(reply),
    stickler: verdictsBody(reply.choices),
  }
}

function content({ index, text, toolCalls, message }: FinalChoice, replyId: string): readonly Fields[] {
  const said = text + refusalOf(message)
  return [
    ...thoughts(message),
    ...(said === '' ? [] : [{ type: 'text', text: said, citations: null }]),
    ...toolCalls.map((call, position) => ({
      type: 'tool_use',
      id: callId(call, replyId, index, position),
      name: call.name,
      input: toolInput(call.arguments),
    })),
  ]
}

/** Thinking blocks as the provider gave them, or made of its reasoning. */
function thoughts(message: Fields): readonly Fields[] {
  const blocks = Array.isArray(message.thinking_blocks)
    ? message.thinking_blocks.filter((block) => isFields(block) && isThought(block))
    : []
  if (blocks.length > 0) return blocks
  const thinking = reasoningOf(message)
  return thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }]
}
