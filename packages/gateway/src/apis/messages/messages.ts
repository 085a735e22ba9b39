import { messagesWire } from '@stickler/core/wire'
import type { Api } from '../shared/api.ts'
import { withheld } from '../shared/host-fields.ts'
import { defaultLimits } from '../shared/limits.ts'
import { messagesDescription } from './messages-description.ts'
import { MessagesEncoder } from './messages-encoder.ts'
import { messagesErrorBody } from './messages-error.ts'
import { messagesHeaders } from './messages-headers.ts'
import type { MessagesOptions } from './messages-options.ts'
import { messagesReply } from './messages-reply.ts'
import { messagesUsage } from './messages-usage.ts'
import { readMessages } from './read-messages.ts'

/** Implements Anthropic's Messages API. */
export function messagesApi(options: Partial<MessagesOptions> = {}): Api {
  const settled = { ...defaultLimits, native: false, ...options }
  return {
    name: 'messages',
    path: '/v1/messages',
    description: messagesDescription,
    read: (body) => readMessages(body, settled),
    reply: messagesReply,
    encoder: (request) => new MessagesEncoder(request),
    usage: messagesUsage,
    errorBody: messagesErrorBody,
    wire: messagesWire,
    withheld: withheld(),
    headers: messagesHeaders,
  }
}

/** Anthropic's Messages API with the default limits, for upstreams of any kind. */
export const messages: Api = { ...messagesApi(), forAnthropic: messagesApi({ native: true }) }
