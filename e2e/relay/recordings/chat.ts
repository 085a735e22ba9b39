import { pieces, type Recording } from './recording.ts'

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
const base = { id: 'chatcmpl-1', created: 1_750_000_000, model: 'real-2026', system_fingerprint: 'fp_1', service_tier: 'default' }
const body = (choices: readonly object[], more: object = {}) => ({ ...base, object: 'chat.completion', choices, usage, ...more })
const said = (message: object, more: object = {}) =>
  body([{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', logprobs: null, ...more }])
const chunk = (delta: object, more: object = {}, top: object = {}) => ({
  ...base,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, logprobs: null, ...more }],
  ...top,
})
const begin = chunk({ role: 'assistant', content: '' })
const end = (reason = 'stop', more: object = {}) => chunk({}, { finish_reason: reason, ...more })
const text = 'Use spaces, since they look the same everywhere.'
const spoken = pieces(text).map((content) => chunk({ content }))
const weather = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
}
const call = (id: string, city: string) => ({ id, type: 'function', function: { name: 'get_weather', arguments: `{"city": "${city}"}` } })
const tokens = pieces(text).map((token, at) => ({
  token,
  logprob: -0.25 * (at + 1),
  bytes: [...Buffer.from(token)],
  top_logprobs: [{ token: 'tabs', logprob: -3, bytes: null }],
}))
const json = '{"name": "Ada", "year": 1815}'
const annotation = { type: 'url_citation', url_citation: { start_index: 0, end_index: 10, url: 'https://example.org/a', title: 'A' } }

/** What chat completions can do. */
export const chatRecordings: readonly Recording[] = [
  { name: 'text', whole: said({ content: text, refusal: null, annotations: [] }), events: [begin, ...spoken, end()] },
  {
    name: 'structured output',
    request: {
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'person',
          strict: true,
          schema: { type: 'object', properties: { name: { type: 'string' }, year: { type: 'integer' } }, required: ['name', 'year'] },
        },
      },
    },
    whole: said({ content: json }),
    events: [begin, ...pieces(json).map((content) => chunk({ content })), end()],
  },
  {
    name: 'tools',
    request: { tools: [{ type: 'function', function: { ...weather, strict: true } }], tool_choice: 'auto', parallel_tool_calls: true },
    whole: said({ content: null, tool_calls: [call('call_1', 'Rome'), call('call_2', 'Oslo')] }, { finish_reason: 'tool_calls' }),
    events: [
      chunk({ role: 'assistant', content: null }),
      ...['Rome', 'Oslo'].flatMap((city, index) => [
        chunk({ tool_calls: [{ index, id: `call_${index + 1}`, type: 'function', function: { name: 'get_weather', arguments: '' } }] }),
        ...pieces(`{"city": "${city}"}`).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
      end('tool_calls'),
    ],
  },
  {
    name: 'custom tools',
    request: { tools: [{ type: 'custom', custom: { name: 'run_code', description: 'Runs code.', format: { type: 'text' } } }] },
    whole: said(
      { content: null, tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'run_code', input: 'print(1)' } }] },
      { finish_reason: 'tool_calls' },
    ),
    events: [
      chunk({ role: 'assistant', content: null }),
      chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'custom', custom: { name: 'run_code', input: '' } }] }),
      chunk({ tool_calls: [{ index: 0, custom: { input: 'print(' } }] }),
      chunk({ tool_calls: [{ index: 0, custom: { input: '1)' } }] }),
      end('tool_calls'),
    ],
  },
  {
    name: 'reasoning',
    request: { reasoning_effort: 'low' },
    whole: said({
      content: text,
      reasoning_content: 'ABC',
      reasoning: 'ABC',
      reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'ABC', signature: 'c2ln' }],
    }),
    events: [
      begin,
      ...['A', 'B', 'C'].map((piece) =>
        chunk({ reasoning_content: piece, reasoning: piece, reasoning_details: [{ type: 'reasoning.text', index: 0, text: piece }] }),
      ),
      chunk({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, data: 'ZW5j' }] }),
      ...spoken,
      end(),
    ],
  },
  {
    name: 'logprobs',
    request: { logprobs: true, top_logprobs: 1 },
    whole: said({ content: text }, { logprobs: { content: tokens, refusal: null } }),
    events: [begin, ...tokens.map((token) => chunk({ content: token.token }, { logprobs: { content: [token], refusal: null } })), end()],
  },
  {
    name: 'images',
    request: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
          ],
        },
      ],
    },
    whole: said({ content: text, images: [{ type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] }),
    events: [
      begin,
      ...spoken,
      chunk({ images: [{ type: 'image_url', index: 0, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] }),
      end(),
    ],
  },
  {
    name: 'documents with citations',
    request: {
      messages: [
        { role: 'user', content: [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } }] },
      ],
    },
    whole: { ...said({ content: text, annotations: [annotation] }), citations: ['https://example.org/a'] },
    events: [
      begin,
      ...spoken.map((one) => ({ ...one, citations: ['https://example.org/a'] })),
      chunk({ annotations: [annotation] }),
      end(),
    ],
  },
  {
    name: 'caching',
    request: { prompt_cache_key: 'k', prompt_cache_retention: '24h', stream_options: { include_usage: true } },
    whole: body([{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }], {
      usage: {
        ...usage,
        prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0, cache_write_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2, accepted_prediction_tokens: 0 },
      },
    }),
    events: [
      begin,
      ...spoken,
      end(),
      {
        ...base,
        object: 'chat.completion.chunk',
        choices: [],
        usage: { ...usage, prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0, cache_write_tokens: 3 }, cost: 0.000_123 },
      },
    ],
  },
  {
    name: 'n',
    request: { n: 2 },
    whole: body(
      [0, 1].map((index) => ({
        index,
        message: { role: 'assistant', content: `Answer ${index}.` },
        finish_reason: 'stop',
        logprobs: null,
      })),
    ),
    events: [
      ...[0, 1].map((index) => chunk({ role: 'assistant', content: '' }, { index })),
      ...['Ans', 'wer ', 'x.'].flatMap((content) => [0, 1].map((index) => chunk({ content }, { index }))),
      ...[1, 0].map((index) => end('stop', { index })),
    ],
  },
  {
    name: 'usage in streams',
    request: { stream_options: { include_usage: true } },
    events: [
      { ...begin, usage: null },
      ...spoken.map((one) => ({ ...one, usage: null })),
      { ...end(), usage: null },
      { ...base, object: 'chat.completion.chunk', choices: [], usage: { ...usage, total_tokens: 334 } },
    ],
  },
  {
    name: 'usage beside choices',
    whole: { ...said({ content: text }), usage: { ...usage, total_tokens: 334, queue_time: 0.01 } },
    events: [begin, ...spoken, { ...end(), usage: { ...usage, total_tokens: 334, queue_time: 0.01 } }],
  },
  {
    name: 'refusal',
    whole: said({ content: null, refusal: 'I cannot help with that.' }),
    events: [
      chunk({ role: 'assistant', content: null, refusal: '' }),
      ...pieces('I cannot help with that.').map((refusal) => chunk({ refusal })),
      end(),
    ],
  },
  {
    name: 'stop sequences',
    request: { stop: ['END', '###'] },
    whole: said({ content: text }, { stop_reason: 'END', matched_stop: 'END' }),
    events: [begin, ...spoken, end('stop', { stop_reason: 'END', matched_stop: 'END' })],
  },
  {
    name: 'server tools',
    request: { web_search_options: { search_context_size: 'low', user_location: { type: 'approximate', approximate: { country: 'IT' } } } },
    whole: said({ content: text, annotations: [annotation], executed_tools: [{ index: 0, type: 'search', output: 'found' }] }),
    events: [
      begin,
      chunk({ executed_tools: [{ index: 0, type: 'search', arguments: '{}' }] }),
      ...spoken,
      chunk({ executed_tools: [{ index: 0, output: 'found' }], annotations: [annotation] }),
      end(),
    ],
  },
  {
    name: 'audio',
    request: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'pcm16' } },
    whole: said({ content: null, audio: { id: 'audio_1', data: 'AAAA', expires_at: 1_750_000_900, transcript: 'Use spaces.' } }),
    events: [
      chunk({ role: 'assistant', content: null, audio: { id: 'audio_1', transcript: 'Use ' } }),
      chunk({ audio: { data: 'AAAA' } }),
      chunk({ audio: { transcript: 'spaces.', expires_at: 1_750_000_900 } }),
      end(),
    ],
  },
  {
    name: 'length',
    isCut: true,
    request: { max_completion_tokens: 5 },
    whole: said({ content: 'Use spaces, sin' }, { finish_reason: 'length' }),
    events: [begin, chunk({ content: 'Use spaces, sin' }), end('length')],
  },
  {
    name: 'content filters',
    whole: {
      ...said({ content: text }, { content_filter_results: { hate: { filtered: false, severity: 'safe' } } }),
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } }],
    },
    events: [
      { ...base, object: 'chat.completion.chunk', choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      begin,
      ...spoken,
      chunk({}, { content_filter_results: { hate: { filtered: false } }, content_filter_offsets: { check_offset: 1, start_offset: 0 } }),
      end(),
    ],
  },
  {
    name: 'fields of other providers',
    request: { top_k: 5, provider: { order: ['a'] }, seed: 7, metadata: { a: 'b' }, store: true, user: 'u', logit_bias: { '50256': -100 } },
    whole: { ...said({ content: text, padding: 'x' }), x_groq: { id: 'req_1' }, provider: 'Groq', time_info: { queue_time: 0.1 } },
    events: [
      { ...begin, x_groq: { id: 'req_1' }, obfuscation: 'aa' },
      ...spoken.map((one, at) => ({ ...one, obfuscation: 'a'.repeat(at), p: 'ab' })),
      { ...end(), x_groq: { id: 'req_1', usage }, service_tier: 'priority', time_info: { queue_time: 0.1 } },
    ],
  },
  {
    name: 'calls beside an empty function call',
    request: { tools: [{ type: 'function', function: weather }] },
    whole: said(
      { content: '', tool_calls: [call('call_1', 'Rome')], function_call: { name: '', arguments: '' } },
      { finish_reason: 'tool_calls' },
    ),
    events: [
      begin,
      chunk({ tool_calls: [{ index: 0, ...call('call_1', 'Rome') }], function_call: { name: '', arguments: '' } }),
      end('tool_calls'),
    ],
  },
  {
    name: 'a request that is too long',
    status: 400,
    headers: { 'x-ratelimit-remaining-requests': '59', 'x-request-id': 'req_provider_1' },
    whole: {
      error: {
        message: 'This model supports 8192 tokens, your messages have 9000.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  },
  {
    name: 'too many requests',
    status: 429,
    headers: { 'retry-after': '7', 'x-ratelimit-limit-requests': '60', 'x-ratelimit-reset-requests': '1s' },
    whole: { error: { message: 'Slow down.', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
  },
  {
    name: 'an error in a stream',
    breaks: true,
    events: [begin, ...spoken.slice(0, 2), { error: { message: 'Overloaded.', type: 'server_error', param: null, code: 'overloaded' } }],
  },
].map((one) => ({ api: 'chat', ...one }) as Recording)
