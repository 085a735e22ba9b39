import { defaultLimits, type RequestLimits } from '../request/limits.ts'
import type { Api } from '../shared/api.ts'
import { openaiErrorBody } from '../shared/client-error.ts'
import { ResponsesEncoder } from './reply/responses-encoder.ts'
import { responsesReply } from './reply/responses-reply.ts'
import { neverForwarded, readResponses } from './request/read-responses.ts'
import { responseUsage } from './response-usage.ts'
import { responsesDescription } from './responses-description.ts'
import { responsesWire } from './responses-wire.ts'

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
    wire: responsesWire,
    withheld: neverForwarded,
    headers: ['openai-beta'],
  }
}

/** OpenAI's Responses API with the default limits. */
export const responses: Api = responsesApi()
