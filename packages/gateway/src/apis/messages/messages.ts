import { messagesWire } from '@stickler/core/wire'
import { withheld } from '../shared/host-fields.ts'
import { defaultLimits } from '../shared/limits.ts'
import type { Protocol } from '../shared/protocol.ts'
import { messagesDescription } from './messages-description.ts'
import { MessagesEncoder } from './messages-encoder.ts'
import { messagesErrorBody } from './messages-error.ts'
import { messagesHeaders } from './messages-headers.ts'
import type { MessagesOptions } from './messages-options.ts'
import { messagesReply } from './messages-reply.ts'
import { readMessages } from './read-messages.ts'

/** Speaks Anthropic's Messages API. */
export function messagesProtocol(options: Partial<MessagesOptions> = {}): Protocol {
  const settled = { ...defaultLimits, native: false, ...options }
  return {
    api: 'messages',
    path: '/v1/messages',
    description: messagesDescription,
    read: (body) => readMessages(body, settled),
    reply: messagesReply,
    encoder: (request) => new MessagesEncoder(request),
    errorBody: messagesErrorBody,
    wire: messagesWire,
    withheld: withheld(),
    headers: messagesHeaders,
  }
}

/** Anthropic's Messages API within the usual limits, for upstreams of any kind. */
export const messages: Protocol = { ...messagesProtocol(), forAnthropic: messagesProtocol({ native: true }) }
