import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { reasoningOf, refusalOf } from '../reply/reasoning-fields.ts'
import { callId } from '../reply/reply-ids.ts'
import { replyMembers } from '../reply/verdict-body.ts'
import { defaultLimits, type RequestLimits } from '../request/limits.ts'
import type { Api, ClientRequest, FinalChoice, FinalReply, RequestTexts } from '../shared/api.ts'
import { openaiErrorBody } from '../shared/client-error.ts'
import * as items from './reply/output-items.ts'
import { responseObject } from './reply/response-object.ts'
import { ResponsesEncoder } from './reply/responses-encoder.ts'
import { neverForwarded, readResponses } from './request/read-responses.ts'
import { statusOf } from './response-status.ts'
import { responseUsage } from './response-usage.ts'
import { responsesWire } from './responses-wire.ts'

const texts: RequestTexts = {
  lists: ['input'],
  singles: ['instructions', 'prompt'],
  parts: ['content', 'output'],
  readable: new Set(['text', 'input_text', 'output_text', 'summary_text', 'refusal']),
  marks: new Set(['role', 'type', 'id', 'call_id', 'item_id', 'status', 'detail']),
  isFile: (_part, name) => name === 'file_data',
}

/** Implements OpenAI's Responses API. */
export function responsesApi(limits: Partial<RequestLimits> = {}): Api {
  const bounds = { ...defaultLimits, ...limits }
  return {
    name: 'responses',
    path: '/v1/responses',
    read: (body) => readResponses(body, bounds),
    reply: (request, reply) => JSON.stringify(responsesReply(request, reply)),
    encoder: (request, out) => new ResponsesEncoder(request, out),
    usage: responseUsage,
    errorBody: openaiErrorBody,
    texts,
    wire: responsesWire,
    withheld: neverForwarded,
    headers: ['openai-beta'],
  }
}

/** OpenAI's Responses API with the default limits. */
export const responses: Api = responsesApi()

/** The body of a reply of the Responses API. */
function responsesReply(request: ClientRequest, reply: FinalReply): Fields {
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
