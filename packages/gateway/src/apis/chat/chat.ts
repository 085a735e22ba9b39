import { chatWire } from '@stickler/core/wire'
import { openaiErrorBody } from '../../front/replies/client-error.ts'
import type { Api } from '../shared/api.ts'
import { defaultLimits, type RequestLimits } from '../shared/limits.ts'
import { chatDescription } from './chat-description.ts'
import { ChatEncoder } from './chat-encoder.ts'
import { chatReply } from './chat-reply.ts'
import { chatUsage } from './chat-usage.ts'
import { notForwarded, readChat } from './read-chat.ts'

/** Implements OpenAI's chat completions. */
export function chatApi(limits: Partial<RequestLimits> = {}): Api {
  const bounds = { ...defaultLimits, ...limits }
  return {
    name: 'chat',
    path: '/v1/chat/completions',
    description: chatDescription,
    read: (body) => readChat(body, bounds),
    reply: (_request, reply) => JSON.stringify(chatReply(reply)),
    encoder: (request) => new ChatEncoder(request),
    usage: chatUsage,
    errorBody: openaiErrorBody,
    wire: chatWire,
    withheld: notForwarded,
    headers: ['openai-beta'],
  }
}

/** OpenAI's chat completions with the default limits. */
export const chat: Api = chatApi()
