import { chat } from './chat/chat.ts'
import { messages } from './messages/messages.ts'
import { responses } from './responses/responses.ts'
import type { Api } from './shared/api.ts'

/** Every API of models; the only place that names them all. */
export const apis: readonly Api[] = [chat, responses, messages]
