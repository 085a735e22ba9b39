import * as z from 'zod'
import { verdictNames, verdictsSchema } from '../reply/verdict-schema.ts'
import { describedBody } from '../request/described-body.ts'
import type { ApiDescription } from '../shared/api.ts'
import { messagesParameters } from './request/read-messages.ts'

/** An error in Anthropic's format. */
export const messagesErrorSchema = z
  .looseObject({ type: z.literal('error'), error: z.looseObject({ type: z.string(), message: z.string() }) })
  .describe("An error in Anthropic's format.")

/** The OpenAPI description of `/v1/messages`. */
export function messagesDescription(): ApiDescription {
  const content = z.array(z.looseObject({ type: z.string() }))
  const body = describedBody(messagesParameters, {
    model: z.string(),
    messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), content]) })),
    max_tokens: z.int(),
    system: z.union([z.string(), content]).nullish(),
    tools: z.array(z.looseObject({})).nullish(),
  })
  const message = z.looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string().describe('The name the client sent.'),
    content,
    stop_reason: z.string().nullable(),
    stickler: verdictsSchema,
  })
  const event = z.looseObject({ type: z.string() })
  return {
    summary: 'Create a message (Anthropic).',
    notes: 'Unlisted fields of the request and of the answer are passed through.',
    group: 'Models',
    body: { 'application/json': body },
    replies: {
      200: {
        meaning: 'The message, or with `stream` its events.',
        content: { 'application/json': message, 'text/event-stream': event },
      },
    },
    errors: { 'application/json': messagesErrorSchema },
    names: { ...verdictNames, Message: message, AnthropicError: messagesErrorSchema },
  }
}
