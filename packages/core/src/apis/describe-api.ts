import { chatDescription } from './chat/chat-description.ts'
import { messagesDescription } from './messages/messages-description.ts'
import { responsesDescription } from './responses/responses-description.ts'
import type { Api, ApiDescription } from './shared/api.ts'

const descriptions = new Map([
  ['chat', chatDescription],
  ['messages', messagesDescription],
  ['responses', responsesDescription],
])

/** The OpenAPI description of the route of an API. */
export function describeApi({ name, description = descriptions.get(name) }: Pick<Api, 'name' | 'description'>): ApiDescription {
  return description?.() ?? { summary: `Ask a model by the API ${name}.`, group: 'Models', replies: {} }
}
