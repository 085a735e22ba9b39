import { withheld } from '../request/host-fields.ts'
import { defaultLimits, type RequestLimits } from '../request/limits.ts'
import type { Api, RequestTexts } from '../shared/api.ts'
import { frame } from '../shared/sse-frames.ts'
import { messagesUsage } from './message-usage.ts'
import { messagesWire } from './messages-wire.ts'
import { MessagesEncoder } from './reply/messages-encoder.ts'
import { messagesErrorBody } from './reply/messages-error.ts'
import { messagesReply } from './reply/messages-reply.ts'
import { readMessages } from './request/read-messages.ts'

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
