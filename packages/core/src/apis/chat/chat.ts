import * as z from 'zod'
import { verdictNames, verdictSchema, verdictsSchema } from '../reply/verdict-schema.ts'
import { defaultLimits, type RequestLimits } from '../request/limits.ts'
import { describedBody } from '../request/read-fields.ts'
import type { Api, ApiDescription, RequestTexts } from '../shared/api.ts'
import { openaiErrorBody } from '../shared/client-error.ts'
import { chatUsage } from './chat-usage.ts'
import { chatWire } from './chat-wire.ts'
import { ChatEncoder } from './reply/chat-encoder.ts'
import { chatReply } from './reply/chat-reply.ts'
import { chatParameters, notForwarded, readChat } from './request/read-chat.ts'

const texts: RequestTexts = {
  lists: ['messages'],
  singles: [],
  parts: ['content'],
  readable: new Set(['text', 'input_text', 'output_text', 'refusal', 'thinking']),
  marks: new Set(['role', 'type', 'id', 'tool_call_id', 'detail']),
  isFile: (part, name) => name === 'file_data' || (name === 'data' && typeof part.format === 'string'),
}

/** Implements OpenAI's chat completions. */
export function chatApi(limits: Partial<RequestLimits> = {}): Api {
  const bounds = { ...defaultLimits, ...limits }
  return {
    name: 'chat',
    path: '/v1/chat/completions',
    description: chatDescription,
    read: (body) => readChat(body, bounds),
    reply: (_request, reply) => JSON.stringify(chatReply(reply)),
    encoder: (request, out) => new ChatEncoder(request, out),
    usage: chatUsage,
    errorBody: openaiErrorBody,
    texts,
    wire: chatWire,
    withheld: notForwarded,
    headers: ['openai-beta'],
  }
}

/** OpenAI's chat completions with the default limits. */
export const chat: Api = chatApi()

/** The OpenAPI description of `/v1/chat/completions`. */
function chatDescription(): ApiDescription {
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
