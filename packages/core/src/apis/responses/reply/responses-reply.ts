import type { Fields } from '../../../answer/tool-shapes/fields.ts'
import { reasoningOf, refusalOf } from '../../reply/reasoning.ts'
import { callId } from '../../reply/reply-ids.ts'
import { replyMembers } from '../../reply/verdict-body.ts'
import type { ClientRequest, FinalChoice, FinalReply } from '../../shared/api.ts'
import { statusOf } from '../response-status.ts'
import { responseUsage } from '../response-usage.ts'
import * as items from './output-items.ts'
import { responseObject } from './response-object.ts'

/** The body of a reply of the Responses API. */
export function responsesReply(request: ClientRequest, reply: FinalReply): Fields {
  const [choice] = reply.choices
  const end = statusOf(choice)
  return {
    ...responseObject(request, reply, end, choice ? output(choice, reply.id) : []),
    usage: responseUsage(reply),
    ...replyMembers(reply),
  }
}

function output(choice: FinalChoice, replyId: string): readonly Fields[] {
  const { status } = statusOf(choice)
  const list: Fields[] = []
  const reasoning = reasoningOf(choice.message)
  if (reasoning !== '') list.push(items.reasoningItem(items.itemId('rs', replyId, list.length), reasoning, 'completed'))
  const content = contentParts(choice)
  if (content.length > 0) list.push(items.messageItem(items.itemId('msg', replyId, list.length), content, status))
  for (const [position, call] of choice.toolCalls.entries()) {
    const id = items.itemId('fc', replyId, list.length)
    list.push(items.callItem(id, callId(call, replyId, choice.index, position), call.name, call.arguments, status))
  }
  return list
}

function contentParts({ text, toolCalls, message, fields }: FinalChoice): readonly Fields[] {
  const refusal = refusalOf(message)
  const refusals = refusal === '' ? [] : [items.refusalPart(refusal)]
  if (text === '' && (refusals.length > 0 || toolCalls.length > 0)) return refusals
  return [items.textPart(text, items.readAnnotations(message.annotations), items.readLogprobs(fields.logprobs)), ...refusals]
}
