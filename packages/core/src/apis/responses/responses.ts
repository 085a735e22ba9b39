import { defaultLimits, type RequestLimits } from '../request/limits.ts'
import type { Api, RequestTexts } from '../shared/api.ts'
import { openaiErrorBody } from '../shared/client-error.ts'
import { ResponsesEncoder } from './reply/responses-encoder.ts'
import { responsesReply } from './reply/responses-reply.ts'
import { neverForwarded, readResponses } from './request/read-responses.ts'
import { responseUsage } from './response-usage.ts'
import { responsesDescription } from './responses-description.ts'
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
    description: responsesDescription,
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
