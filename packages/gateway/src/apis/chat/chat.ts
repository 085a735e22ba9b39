import { chatWire } from '@stickler/core/wire'
import { openaiErrorBody } from '../../front/replies/client-error.ts'
import { defaultLimits, type ProtocolLimits } from '../shared/limits.ts'
import type { Protocol } from '../shared/protocol.ts'
import { chatDescription } from './chat-description.ts'
import { ChatEncoder } from './chat-encoder.ts'
import { chatReply } from './chat-reply.ts'
import { notForwarded, readChat } from './read-chat.ts'

/** Speaks OpenAI's chat completions. */
export function chatProtocol(limits: Partial<ProtocolLimits> = {}): Protocol {
  const bounds = { ...defaultLimits, ...limits }
  return {
    api: 'chat',
    path: '/v1/chat/completions',
    description: chatDescription,
    read: (body) => readChat(body, bounds),
    reply: (_request, reply) => JSON.stringify(chatReply(reply)),
    encoder: (request) => new ChatEncoder(request),
    errorBody: openaiErrorBody,
    wire: chatWire,
    withheld: notForwarded,
    headers: ['openai-beta'],
  }
}

/** OpenAI's chat completions within the usual limits. */
export const chat: Protocol = chatProtocol()
