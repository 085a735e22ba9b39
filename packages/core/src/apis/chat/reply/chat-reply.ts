import { finishKindOf } from '../../../answer/finish-reason.ts'
import type { FinishKind } from '../../../answer/finish-reason-table.ts'
import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { refusalOf } from '../../reply/reasoning-fields.ts'
import { callId } from '../../reply/reply-ids.ts'
import { replyMembers } from '../../reply/verdict-body.ts'
import type { FinalChoice, FinalReply, ReplyFrame } from '../../shared/api.ts'
import { without } from '../../shared/selected-fields.ts'
import { chatUsage } from '../chat-usage.ts'

/** The finish reasons of chat completions, where there is one. */
const chatWords: ReadonlyMap<FinishKind | undefined, string> = new Map([
  ['complete', 'stop'],
  ['calls', 'tool_calls'],
  ['length', 'length'],
  ['filter', 'content_filter'],
])

/**
 * The finish reason for chat completions: the provider's own, translated only from another API's;
 * null when there was none.
 */
export function chatFinish({ finishReason, wire, message }: FinalChoice): string | null {
  // Chat completions end a refusal like any answer, and have a reason for withheld answers.
  if (finishReason === 'refusal') return refusalOf(message) === '' ? 'content_filter' : 'stop'
  if (finishReason === null || wire === undefined) return finishReason
  return chatWords.get(finishKindOf(finishReason)) ?? finishReason
}

// Some clients act on `event`, and an `error` makes every client throw: no provider may set them at
// the top level.
const ownTop = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'stickler', 'validation_status', 'event', 'error'])
const ownChoice = new Set(['index', 'message', 'delta', 'finish_reason', 'stickler', 'event'])
// A parsed value would be that of the text before its repair.
const ownMessage = new Set(['role', 'content', 'tool_calls', 'function_call', 'parsed'])

/** The fields at the head of a reply or a chunk. */
export function chatHead(frame: ReplyFrame, object: string): Record<string, unknown> {
  const head: Record<string, unknown> = { id: frame.id, object, created: frame.created, model: frame.model }
  return Object.assign(head, without(frame.fields, ownTop))
}

/** The provider's additional fields of a choice. */
export function choiceFields(choice: FinalChoice): Fields {
  return without(choice.fields, ownChoice)
}

/** The provider's additional fields of a message or a delta. */
export function messageFields(fields: Fields): Fields {
  return without(fields, ownMessage)
}

/** The body of a reply of chat completions. */
export function chatReply(reply: FinalReply): Fields {
  const body = chatHead(reply, 'chat.completion')
  body.choices = reply.choices.map((choice) => chatChoice(choice, reply.id))
  const usage = chatUsage(reply)
  if (usage !== undefined) body.usage = usage
  return Object.assign(body, replyMembers(reply))
}

function chatChoice(choice: FinalChoice, replyId: string): Fields {
  const body: Record<string, unknown> = { index: choice.index, message: chatMessage(choice, replyId) }
  Object.assign(body, choiceFields(choice))
  body.finish_reason = chatFinish(choice)
  return body
}

function chatMessage(choice: FinalChoice, replyId: string): Fields {
  const { text, toolCalls, message } = choice
  const saysElsewhere = toolCalls.length > 0 || refusalOf(message) !== '' || (message.audio ?? null) !== null
  const saysNothing = text === '' && saysElsewhere
  const body: Record<string, unknown> = { role: 'assistant', content: saysNothing ? null : text }
  Object.assign(body, messageFields(message))
  if (toolCalls.length === 0) return body
  const call = functionCall(choice)
  if (call) body.function_call = call
  else body.tool_calls = chatCalls(choice, replyId)
  return body
}

/** A tool call in the shape of chat completions. */
interface ChatCall extends Fields {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** The tool calls of a choice; provider fields beside a call, such as a signature, stay with it. */
export function chatCalls({ index, toolCalls, message }: FinalChoice, replyId: string): readonly ChatCall[] {
  const given = givenCalls(message.tool_calls)
  return toolCalls.map((call, position) => {
    const id = callId(call, replyId, index, position)
    const own = given.get(id)
    if (own !== undefined && isFields(own.custom)) return own as ChatCall
    return { ...given.get(id), id, type: 'function', function: { name: call.name, arguments: call.arguments } }
  })
}

/** The single call for a client that uses `functions`, the predecessor of tools. */
export function functionCall({ toolCalls, message }: FinalChoice): Fields | undefined {
  const [only, ...more] = toolCalls
  if (only === undefined || more.length > 0 || !isFields(message.function_call)) return undefined
  return { name: only.name, arguments: only.arguments }
}

/** By id; of two calls with one id the first counts. */
function givenCalls(calls: unknown): ReadonlyMap<unknown, Fields> {
  const byId = new Map<unknown, Fields>()
  if (!Array.isArray(calls)) return byId
  for (const call of calls) if (isFields(call) && !byId.has(call.id)) byId.set(call.id, call)
  return byId
}
