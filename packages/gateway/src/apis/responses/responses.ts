import { responsesWire } from '@stickler/core/wire'
import { openaiErrorBody } from '../../front/replies/client-error.ts'
import type { Api } from '../shared/api.ts'
import { defaultLimits, type RequestLimits } from '../shared/limits.ts'
import { neverForwarded, readResponses } from './read-responses.ts'
import { responseUsage } from './response-object.ts'
import { responsesDescription } from './responses-description.ts'
import { ResponsesEncoder } from './responses-encoder.ts'
import { responsesReply } from './responses-reply.ts'

/** Implements OpenAI's Responses API. */
export function responsesApi(limits: Partial<RequestLimits> = {}): Api {
  const bounds = { ...defaultLimits, ...limits }
  return {
    name: 'responses',
    path: '/v1/responses',
    description: responsesDescription,
    read: (body) => readResponses(body, bounds),
    reply: (request, reply) => JSON.stringify(responsesReply(request, reply)),
    encoder: (request) => new ResponsesEncoder(request),
    usage: responseUsage,
    errorBody: openaiErrorBody,
    wire: responsesWire,
    withheld: neverForwarded,
    headers: ['openai-beta'],
  }
}

/** OpenAI's Responses API with the default limits. */
export const responses: Api = responsesApi()
