import { pieces, type Recording } from './recording.ts'

type Block = Readonly<Record<string, unknown>>

const usage = {
  input_tokens: 11,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 7,
  service_tier: 'standard',
  inference_geo: 'eu',
}
const base = { id: 'msg_1', type: 'message', role: 'assistant', model: 'real-2026' }
const text = 'Use spaces, since they look the same everywhere.'
const said = (content: readonly Block[], more: object = {}) => ({
  ...base,
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
  ...more,
})
const start = (more: object = {}) => ({
  type: 'message_start',
  message: { ...base, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 }, ...more },
})
const end = (delta: object = {}, more: object = {}) => [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null, ...delta }, usage: { output_tokens: 7 }, ...more },
  { type: 'message_stop' },
]
const block = (index: number, content_block: Block, deltas: readonly Block[] = []) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const textBlock = (index: number, words = text) =>
  block(
    index,
    { type: 'text', text: '' },
    pieces(words).map((piece) => ({ type: 'text_delta', text: piece })),
  )
const inputBlock = (index: number, opened: Block, input: string) =>
  block(
    index,
    { ...opened, input: {} },
    ['', ...pieces(input)].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  )
/** Whole and streamed from the same blocks, for those that have no deltas. */
const both = (blocks: readonly Block[], events: readonly (readonly Block[])[], delta: Record<string, unknown> = {}) => ({
  whole: said(blocks, delta),
  events: [start(), { type: 'ping' }, ...events.flat(), ...end(delta)],
})
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const rome = { type: 'tool_use', id: 'toolu_1', name: 'get_weather' }
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search' }
const programBegun = { type: 'server_tool_use', id: 'srvtoolu_3', name: 'code_execution' }
const program = { ...programBegun, input: { code: 'x' } }
const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_3' }
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [{ type: 'web_search_result', url: 'https://example.org/a', title: 'A', encrypted_content: 'ZW5j', page_age: null }],
}
const citation = {
  type: 'char_location',
  cited_text: 'Spaces.',
  document_index: 0,
  document_title: 'Style',
  start_char_index: 0,
  end_char_index: 7,
  file_id: null,
}
const document = {
  type: 'document',
  source: { type: 'text', media_type: 'text/plain', data: 'Spaces.' },
  title: 'Style',
  context: 'A guide.',
  citations: { enabled: true },
  cache_control: { type: 'ephemeral', ttl: '1h' },
}
const ask = (content: readonly object[]) => ({ messages: [{ role: 'user', content }] })

/** What messages can do. */
export const messagesRecordings: readonly Recording[] = [
  { name: 'text', ...both([{ type: 'text', text }], [textBlock(0)]) },
  {
    name: 'structured output',
    request: { output_config: { format: { type: 'json_schema', schema: { ...schema, additionalProperties: false } }, effort: 'low' } },
    ...both([{ type: 'text', text: '{"city": "Rome"}' }], [textBlock(0, '{"city": "Rome"}')]),
  },
  {
    name: 'tools',
    request: {
      tools: [
        {
          name: 'get_weather',
          description: 'Tells the weather.',
          input_schema: schema,
          strict: true,
          cache_control: { type: 'ephemeral' },
        },
      ],
      tool_choice: { type: 'auto', disable_parallel_tool_use: false },
    },
    ...both(
      [
        { type: 'text', text },
        { ...rome, input: { city: 'Rome' } },
      ],
      [textBlock(0), inputBlock(1, rome, '{"city": "Rome"}')],
      { stop_reason: 'tool_use' },
    ),
  },
  {
    name: 'results of tools',
    request: {
      tools: [{ name: 'get_weather', input_schema: schema, defer_loading: true }],
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: [{ ...rome, input: { city: 'Rome' } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: [{ type: 'text', text: 'No.' }] }],
        },
      ],
    },
    ...both([{ type: 'text', text }], [textBlock(0)]),
  },
  {
    name: 'reasoning',
    request: { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2048 },
    ...both(
      [
        { type: 'thinking', thinking: 'Let me think.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZW5j' },
        { type: 'text', text },
      ],
      [
        block(0, { type: 'thinking', thinking: '', signature: '' }, [
          ...pieces('Let me think.').map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: 'c2ln' },
        ]),
        block(1, { type: 'redacted_thinking', data: 'ZW5j' }),
        textBlock(2),
      ],
    ),
  },
  {
    name: 'reasoning with a signature only',
    request: { thinking: { type: 'adaptive', display: 'omitted' } },
    ...both(
      [
        { type: 'thinking', thinking: '', signature: 'c2ln' },
        { type: 'text', text },
      ],
      [block(0, { type: 'thinking', thinking: '', signature: '' }, [{ type: 'signature_delta', signature: 'c2ln' }]), textBlock(1)],
    ),
  },
  {
    name: 'images',
    request: ask([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }, cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'What is this?' },
    ]),
    ...both([{ type: 'text', text }], [textBlock(0)]),
  },
  {
    name: 'documents with citations',
    request: ask([document, { type: 'text', text: 'Tabs or spaces?' }]),
    ...both(
      [
        { type: 'text', text: 'They say ' },
        { type: 'text', text: 'spaces.', citations: [citation] },
      ],
      [
        textBlock(0, 'They say '),
        block(1, { type: 'text', text: '', citations: [] }, [
          { type: 'citations_delta', citation },
          { type: 'text_delta', text: 'spaces.' },
        ]),
      ],
    ),
  },
  {
    name: 'caching',
    request: {
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '5m' } }],
      service_tier: 'auto',
      metadata: { user_id: 'u' },
      inference_geo: 'eu',
    },
    whole: said([{ type: 'text', text }], {
      usage: {
        ...usage,
        cache_creation_input_tokens: 900,
        cache_creation: { ephemeral_5m_input_tokens: 900, ephemeral_1h_input_tokens: 0 },
      },
    }),
    events: [
      start({ usage: { ...usage, cache_creation_input_tokens: 900, cache_read_input_tokens: 5 } }),
      ...textBlock(0),
      ...end({}, { usage: { output_tokens: 7, cache_read_input_tokens: 5, server_tool_use: { web_search_requests: 0 } } }),
    ],
  },
  {
    name: 'stop sequences',
    request: { stop_sequences: ['END'] },
    ...both([{ type: 'text', text }], [textBlock(0)], { stop_reason: 'stop_sequence', stop_sequence: 'END' }),
  },
  {
    name: 'refusal',
    ...both([], [], { stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'cyber', explanation: 'No.' } }),
  },
  {
    name: 'server tools',
    request: { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3, allowed_domains: ['example.org'] }] },
    ...both(
      [{ ...search, input: { query: 'spaces' } }, found, { type: 'text', text }],
      [inputBlock(0, search, '{"query": "spaces"}'), block(1, found), textBlock(2)],
      { stop_reason: 'pause_turn' },
    ),
  },
  {
    name: 'code execution and containers',
    request: { tools: [{ type: 'code_execution_20250825', name: 'code_execution' }], container: 'container_1' },
    ...both(
      [
        { type: 'server_tool_use', id: 'srvtoolu_2', name: 'bash_code_execution', input: { command: 'ls' } },
        {
          type: 'bash_code_execution_tool_result',
          tool_use_id: 'srvtoolu_2',
          content: { type: 'bash_code_execution_result', stdout: 'a', stderr: '', return_code: 0, content: [] },
        },
        { type: 'text', text },
      ],
      [
        inputBlock(0, { type: 'server_tool_use', id: 'srvtoolu_2', name: 'bash_code_execution' }, '{"command": "ls"}'),
        block(1, {
          type: 'bash_code_execution_tool_result',
          tool_use_id: 'srvtoolu_2',
          content: { type: 'bash_code_execution_result', stdout: 'a', stderr: '', return_code: 0, content: [] },
        }),
        textBlock(2),
      ],
      { container: { id: 'container_1', expires_at: '2026-01-01T00:00:00Z', skills: null } },
    ),
  },
  {
    name: 'calls that a program makes',
    request: {
      tools: [
        { type: 'code_execution_20250825', name: 'code_execution' },
        { name: 'get_weather', input_schema: schema },
      ],
    },
    ...both(
      [program, { ...rome, input: { city: 'Rome' }, caller }],
      [inputBlock(0, programBegun, '{"code": "x"}'), block(1, { ...rome, input: { city: 'Rome' }, caller })],
      { stop_reason: 'tool_use' },
    ),
  },
  {
    name: 'a call that a program makes, whole from the start',
    request: {
      tools: [
        { type: 'code_execution_20250825', name: 'code_execution' },
        { name: 'get_weather', input_schema: schema },
      ],
    },
    events: [
      start({ content: [{ ...rome, input: { city: 'Rome' }, caller }], stop_reason: 'tool_use', container: { id: 'container_1' } }),
      { type: 'message_stop' },
    ],
  },
  {
    name: 'servers of tools',
    request: { mcp_servers: [{ type: 'url', url: 'https://example.org/mcp', name: 'files' }] },
    ...both(
      [
        { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'read', server_name: 'files', input: { path: 'a' } },
        { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [{ type: 'text', text: 'A' }] },
        { type: 'text', text },
      ],
      [
        inputBlock(0, { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'read', server_name: 'files' }, '{"path": "a"}'),
        block(1, { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [{ type: 'text', text: 'A' }] }),
        textBlock(2),
      ],
    ),
  },
  {
    name: 'context management',
    request: { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
    ...both(
      [
        { type: 'compaction', content: 'Earlier: greetings.' },
        { type: 'text', text },
      ],
      [block(0, { type: 'compaction', content: '' }, [{ type: 'compaction_delta', content: 'Earlier: greetings.' }]), textBlock(1)],
    ),
  },
  {
    name: 'system messages in the middle',
    request: {
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'Tabs or spaces?' },
      ],
    },
    ...both([{ type: 'text', text }], [textBlock(0)]),
  },
  {
    name: 'content in the first event',
    events: [start({ content: [{ type: 'text', text: 'Use ' }] }), ...end()],
  },
  {
    name: 'a request that is too long',
    status: 400,
    headers: { 'request-id': 'req_provider_1', 'anthropic-ratelimit-requests-remaining': '59' },
    whole: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 9000 tokens > 8192 maximum' },
      request_id: 'req_provider_1',
    },
  },
  {
    name: 'too many requests',
    status: 429,
    headers: { 'retry-after': '7', 'anthropic-ratelimit-requests-limit': '60' },
    whole: { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' }, request_id: 'req_provider_1' },
  },
  { name: 'an overloaded provider', status: 529, whole: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } },
  {
    name: 'an error in a stream',
    breaks: true,
    events: [start(), ...textBlock(0).slice(0, 3), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
  },
].map((one) => ({ api: 'messages', ...one }) as Recording)
