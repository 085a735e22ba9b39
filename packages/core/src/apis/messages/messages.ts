import { withheld } from '../request/host-fields.ts'
import { defaultLimits } from '../request/limits.ts'
import type { Api } from '../shared/api.ts'
import { frame } from '../shared/frame.ts'
import { messagesUsage } from './message-usage.ts'
import { messagesDescription } from './messages-description.ts'
import { messagesHeaders } from './messages-headers.ts'
import { messagesWire } from './messages-wire.ts'
import { MessagesEncoder } from './reply/messages-encoder.ts'
import { messagesErrorBody } from './reply/messages-error.ts'
import { messagesReply } from './reply/messages-reply.ts'
import type { MessagesOptions } from './request/messages-options.ts'
import { readMessages } from './request/read-messages.ts'

/** Implements Anthropic's Messages API. */
export function messagesApi(options: Partial<MessagesOptions> = {}): Api {
  const settled = { ...defaultLimits, native: false, ...options }
  return {
    name: 'messages',
    path: '/v1/messages',
    description: messagesDescription,
    read: (body) => readMessages(body, settled),
    reply: messagesReply,
    encoder: (request, out) => new MessagesEncoder(request, out),
    heartbeat: frame('ping', '{"type":"ping"}'),
    usage: messagesUsage,
    errorBody: messagesErrorBody,
    wire: messagesWire,
    withheld: withheld(),
    headers: messagesHeaders,
  }
}

/** Anthropic's Messages API with the default limits, for upstreams of any kind. */
export const messages: Api = { ...messagesApi(), forAnthropic: messagesApi({ native: true }) }
