import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { reasoningOf, refusalOf } from '../../reply/reasoning-fields.ts'
import { callId, idStem } from '../../reply/reply-ids.ts'
import { replyMembers } from '../../reply/verdict-body.ts'
import type { ClientRequest, FinalChoice, FinalReply, ReplyFrame } from '../../shared/api.ts'
import { messagesUsage } from '../message-usage.ts'
import { isThought } from '../request/read-part.ts'
import { toolInputText } from '../tool-input.ts'
import { stopOf } from './stop-reason.ts'

/** The head of a message. */
export function messageHead(frame: ReplyFrame): Fields {
  return { id: `msg_${idStem(frame.id)}`, type: 'message', role: 'assistant', model: frame.model }
}

/** The body of a reply of the Messages API, as JSON. */
export function messagesReply(request: ClientRequest, reply: FinalReply): string {
  const [choice] = reply.choices
  const stop = choice ? stopOf(choice, request.body.stop_sequences) : { stop_reason: null, stop_sequence: null }
  const rest = { ...stop, usage: messagesUsage(reply), ...messagesVerdict(reply) }
  const blocks = choice ? content(choice, reply.id).join(',') : ''
  return `${JSON.stringify(messageHead(reply)).slice(0, -1)},"content":[${blocks}],${JSON.stringify(rest).slice(1)}`
}

/** The blocks of a message, each as JSON: tool arguments stay as the model wrote them. */
function content({ index, text, toolCalls, message }: FinalChoice, replyId: string): readonly string[] {
  const blocks = thoughts(message).map((block) => JSON.stringify(block))
  const said = text + refusalOf(message)
  if (said !== '') blocks.push(JSON.stringify({ type: 'text', text: said }))
  toolCalls.forEach((call, position) => {
    const head = JSON.stringify({ type: 'tool_use', id: callId(call, replyId, index, position), name: call.name })
    blocks.push(`${head.slice(0, -1)},"input":${toolInputText(call.arguments)}}`)
  })
  return blocks
}

/** Thinking blocks from the provider, or built from its reasoning. */
function thoughts(message: Fields): readonly Fields[] {
  const blocks = Array.isArray(message.thinking_blocks)
    ? message.thinking_blocks.filter((block) => isFields(block) && isThought(block))
    : []
  if (blocks.length > 0) return blocks
  const thinking = reasoningOf(message)
  return thinking === '' ? [] : [{ type: 'thinking', thinking, signature: '' }]
}

/** The verdict in a message; its `stickler` also says when the usage numbers are placeholders. */
export function messagesVerdict(reply: FinalReply): Fields {
  const members = replyMembers(reply)
  const { stickler } = members
  return reply.usage === undefined && !Array.isArray(stickler) ? { ...members, stickler: { ...stickler, usage: 'unknown' } } : members
}
