import * as z from 'zod'
import { verdictNames, verdictSchema, verdictsSchema } from '../reply/verdict-schema.ts'
import { describedBody } from '../request/described-body.ts'
import type { ApiDescription } from '../shared/api.ts'
import { chatParameters } from './request/read-chat.ts'

/** The OpenAPI description of `/v1/chat/completions`. */
export function chatDescription(): ApiDescription {
  const usage = z.looseObject({}).nullish()
  const message = z.looseObject({ role: z.string() })
  const body = describedBody(chatParameters, {
    model: z.string(),
    messages: z.array(message),
    n: z.int().positive().nullish(),
    tools: z.array(z.looseObject({})).nullish(),
    stickler: z.looseObject({}).nullish().describe('Context for validators, such as `session` and `sources`.'),
  })
  const choice = z.looseObject({ index: z.int(), message: z.looseObject({}), finish_reason: z.string().nullish() })
  const completion = z.looseObject({
    id: z.string(),
    object: z.string(),
    created: z.number(),
    model: z.string().describe('The name the client sent.'),
    choices: z.array(choice),
    usage,
    stickler: verdictsSchema,
  })
  const chunk = z.looseObject({
    id: z.string(),
    object: z.string(),
    choices: z.array(z.looseObject({ index: z.int(), delta: z.looseObject({}), stickler: verdictSchema.optional() })),
    usage,
  })
  const error = z.looseObject({ error: z.looseObject({ message: z.string() }) })
  return {
    summary: 'Create a chat completion (OpenAI).',
    notes: 'Unlisted fields of the request and of the answer are passed through.',
    group: 'Models',
    body: { 'application/json': body },
    replies: {
      200: {
        meaning: 'The completion, or with `stream` its chunks; the stream ends with `[DONE]`.',
        content: { 'application/json': completion, 'text/event-stream': z.union([chunk, error]) },
      },
    },
    names: { ...verdictNames, ChatCompletion: completion, ChatCompletionChunk: chunk },
  }
}
