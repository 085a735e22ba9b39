import { defaultLimits, type RequestLimits } from '../request/limits.ts'
import type { Api, RequestTexts } from '../shared/api.ts'
import { openaiErrorBody } from '../shared/client-error.ts'
import { chatUsage } from './chat-usage.ts'
import { chatWire } from './chat-wire.ts'
import { ChatEncoder } from './reply/chat-encoder.ts'
import { chatReply } from './reply/chat-reply.ts'
import { notForwarded, readChat } from './request/read-chat.ts'

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
