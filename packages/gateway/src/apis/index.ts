import { chat } from './chat/chat.ts'
import { messages } from './messages/messages.ts'
import { responses } from './responses/responses.ts'
import type { Protocol } from './shared/protocol.ts'

/** The APIs of models; the only place that names them all. */
export const apis: readonly Protocol[] = [chat, responses, messages]
