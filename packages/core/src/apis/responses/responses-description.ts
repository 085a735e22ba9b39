import * as z from 'zod'
import { verdictNames, verdictsSchema } from '../reply/verdict-schema.ts'
import { describedBody } from '../request/described-body.ts'
import type { ApiDescription } from '../shared/api.ts'
import { responsesParameters } from './request/read-responses.ts'

/** The OpenAPI description of `/v1/responses`. */
export function responsesDescription(): ApiDescription {
  const body = describedBody(responsesParameters, {
    model: z.string(),
    input: z.union([z.string(), z.array(z.looseObject({}))]),
    tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  })
  const response = z.looseObject({
    id: z.string(),
    object: z.literal('response'),
    status: z.string(),
    model: z.string().describe('The name the client sent.'),
    output: z.array(z.looseObject({ type: z.string() })),
    stickler: verdictsSchema,
  })
  const event = z.looseObject({ type: z.string(), sequence_number: z.int() })
  return {
    summary: 'Create a response (OpenAI).',
    notes: 'Unlisted fields of the request and of the answer are passed through.',
    group: 'Models',
    body: { 'application/json': body },
    replies: {
      200: {
        meaning: 'The response, or with `stream` its events.',
        content: { 'application/json': response, 'text/event-stream': event },
      },
    },
    names: { ...verdictNames, Response: response },
  }
}
