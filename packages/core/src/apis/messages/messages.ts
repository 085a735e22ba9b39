import * as z from 'zod'
import { verdictNames, verdictsSchema } from '../reply/verdict-schema.ts'
import { withheld } from '../request/host-fields.ts'
import { defaultLimits, type RequestLimits } from '../request/limits.ts'
import { describedBody } from '../request/read-fields.ts'
import type { Api, ApiDescription, RequestTexts } from '../shared/api.ts'
import { frame } from '../shared/sse-frames.ts'
import { messagesUsage } from './message-usage.ts'
import { messagesWire } from './messages-wire.ts'
import { MessagesEncoder } from './reply/messages-encoder.ts'
import { messagesErrorBody, messagesErrorSchema } from './reply/messages-error.ts'
import { messagesReply } from './reply/messages-reply.ts'
import { messagesParameters, readMessages } from './request/read-messages.ts'

/** Headers of clients that belong to the Messages API. */
export const messagesHeaders: readonly string[] = ['anthropic-beta', 'anthropic-version']

const texts: RequestTexts = {
  lists: ['messages'],
  singles: ['system'],
  parts: ['content'],
  readable: new Set(['text', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result']),
  marks: new Set(['role', 'type', 'id', 'tool_use_id', 'media_type']),
  isFile: (part, name) => name === 'data' && part.type === 'base64',
}

/** Implements Anthropic's Messages API. */
export function messagesApi(limits: Partial<RequestLimits> = {}): Api {
  const bounds = { ...defaultLimits, ...limits }
  return {
    name: 'messages',
    path: '/v1/messages',
    description: messagesDescription,
    read: (body, isForAnthropic = false) => readMessages(body, { ...bounds, native: isForAnthropic }),
    reply: messagesReply,
    encoder: (request, out) => new MessagesEncoder(request, out),
    heartbeat: frame('ping', '{"type":"ping"}'),
    usage: messagesUsage,
    errorBody: messagesErrorBody,
    texts,
    wire: messagesWire,
    withheld: withheld(),
    headers: messagesHeaders,
  }
}

/** Anthropic's Messages API with the default limits. */
export const messages: Api = messagesApi()

/** The OpenAPI description of `/v1/messages`. */
function messagesDescription(): ApiDescription {
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
