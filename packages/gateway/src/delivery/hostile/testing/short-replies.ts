/** Short replies in all APIs, with anything else beside them, and routes with and without a contract. */

type Json = Readonly<Record<string, unknown>>

/** `more` are settings of each upstream. */
export const routes = (more = ''): string => `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses]${more} }
  - { name: other, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0${more} }
contracts:
  kept: { checks: [{ max_words: { limit: 100 } }], retries: 0 }
routes:
  - { model: plain, upstream: up }
  - { model: kept, upstream: up, contract: kept }
  - { model: plain-messages, upstream: other }
  - { model: kept-messages, upstream: other, contract: kept }
`

export const usage = { input_tokens: 1, output_tokens: 1 }
export const completion = (message: Json, more: Json = {}) => ({
  id: 'c',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.', ...message }, finish_reason: 'stop' }],
  ...more,
})
export const output = (part: Json = {}, item: Json = {}) => [
  { id: 'i', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.', annotations: [], ...part }], ...item },
]
export const response = (more: Json) => ({ id: 'r', object: 'response', status: 'completed', model: 'm', output: output(), ...more })
export const message = (block: Json, more: Json = {}) => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Yes.', ...block }],
  stop_reason: 'end_turn',
  usage,
  ...more,
})
