/** Replies with reasoning in all APIs, whole and streamed. */

export type Json = Record<string, unknown>

/** A route for each API whose contract searches reasoning, and two whose contract does not. */
export const yaml = `
upstreams:
  - { name: messages, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat] }
  - { name: responses, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
contracts:
  redacts: { checks: [{ sensitive: { redact: true, allowed: ['@acme.com'] } }], retries: 0 }
  rejects: { checks: [sensitive], retries: 0 }
  words: { checks: [{ max_words: { limit: 100 } }], retries: 0 }
routes:
  - { model: messages, upstream: messages, contract: redacts }
  - { model: chat, upstream: chat, contract: redacts }
  - { model: responses, upstream: responses, contract: redacts }
  - { model: chat-rejects, upstream: chat, contract: rejects }
  - { model: chat-words, upstream: chat, contract: words }
`

export const thought = 'Ask jane@other.org or help@acme.com, then answer.'
export const hidden = 'Ask [EMAIL] or help@acme.com, then answer.'
export const cut = (text: string, size = 3): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
export const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
export const spent = { input_tokens: 1, output_tokens: 1 }

export const chatChunk = (delta: Json, finish: string | null = null): Json => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
export const chat = {
  whole: (fields: Json): Json => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.', ...fields }, finish_reason: 'stop' }],
    usage,
  }),
  events: (name: string): Json[] => [
    chatChunk({ role: 'assistant' }),
    ...cut(thought).map((piece) => chatChunk({ [name]: piece })),
    ...cut('Yes, it is.').map((content) => chatChunk({ content })),
    chatChunk({}, 'stop'),
  ],
}
export const message = (thinking: string): Json => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'thinking', thinking, signature: 'sig' },
    { type: 'text', text: 'Yes.' },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: spent,
})
export const messageEvents: Json[] = [
  { type: 'message_start', message: { ...message(''), content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  ...cut(thought).map((thinking) => ({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking } })),
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Yes.' } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: spent },
  { type: 'message_stop' },
]
export const reasoned = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: thought }] }
export const part = { type: 'output_text', text: 'Yes.', annotations: [] }
export const said = { type: 'message', id: 'i', role: 'assistant', status: 'completed', content: [part] }
export const response: Json = {
  id: 'resp',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [reasoned, said],
  usage: { ...spent, total_tokens: 2 },
}
export const at = { item_id: 'r', output_index: 0, summary_index: 0 }
export const place = { item_id: 'i', output_index: 1, content_index: 0 }
export const responseEvents: Json[] = [
  { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
  { type: 'response.output_item.added', output_index: 0, item: { ...reasoned, summary: [] } },
  { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
  ...cut(thought).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
  { type: 'response.reasoning_summary_text.done', ...at, text: thought },
  { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text: thought } },
  { type: 'response.output_item.done', output_index: 0, item: reasoned },
  { type: 'response.output_item.added', output_index: 1, item: { ...said, content: [] } },
  { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
  { type: 'response.output_text.delta', ...place, delta: 'Yes.' },
  { type: 'response.output_text.done', ...place, text: 'Yes.' },
  { type: 'response.content_part.done', ...place, part },
  { type: 'response.output_item.done', output_index: 1, item: said },
  { type: 'response.completed', response },
].map((event, index) => ({ ...event, sequence_number: index }))
export const answerEvents = responseEvents.slice(responseEvents.findIndex((event) => 'output_index' in event && event.output_index === 1))

/** The events of a message, with a block between its thoughts and its text. */
export const withBlock = (...block: readonly Json[]): Json[] =>
  messageEvents.flatMap((event) => {
    if (event.index !== 1) return [event]
    const moved = { ...event, index: 2 }
    return event.type === 'content_block_start' ? [...block, { type: 'content_block_stop', index: 1 }, moved] : [moved]
  })

/** Calls and results of tools that a provider runs, with something sensitive in each. */
export function hostedTools(secret: string, url: string) {
  const items: Readonly<Record<string, Json>> = {
    web_search_call: { action: { type: 'search', query: secret, sources: [{ type: 'url', url }] } },
    file_search_call: { queries: ['q'], results: [{ file_id: 'f', filename: 'n', score: 1, text: secret }] },
    code_interpreter_call: { code: 'print(1)', container_id: 'c', outputs: [{ type: 'logs', logs: secret }] },
    mcp_call: { name: 'n', server_label: 's', arguments: '{}', output: secret },
    mcp_list_tools: { server_label: 's', tools: [{ name: 'n', description: secret, input_schema: {} }] },
    shell_call_output: { call_id: 'c', output: [{ stdout: secret, stderr: '', outcome: { type: 'exit', exit_code: 0 } }] },
  }
  const resultOf = (type: string, content: unknown): Json => ({ type, tool_use_id: 's', content })
  const blocks: readonly Json[] = [
    { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: secret } },
    resultOf('web_search_tool_result', [{ type: 'web_search_result', url: 'https://e.org', title: secret, encrypted_content: 'x' }]),
    resultOf('web_fetch_tool_result', {
      type: 'web_fetch_result',
      url: 'https://e.org',
      content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: secret } },
    }),
    resultOf('code_execution_tool_result', { type: 'code_execution_result', stdout: secret, stderr: '', return_code: 0, content: [] }),
    resultOf('bash_code_execution_tool_result', { type: 'bash_code_execution_result', stdout: '', stderr: secret, return_code: 1 }),
    resultOf('mcp_tool_result', [{ type: 'text', text: secret }]),
  ]
  return { items, blocks }
}
