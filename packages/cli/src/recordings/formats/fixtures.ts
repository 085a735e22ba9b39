import type { Fields } from '@stickler/core/internal'

const chat = (content: string | null, more: object = {}): Fields => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-5.4-mini',
  choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
  ...more,
})

const weather = {
  type: 'function',
  function: { name: 'weather', description: 'Reads it.', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const asked = [{ role: 'user', content: 'Rain?' }]
const usage = { promptTokens: 9, completionTokens: 2 }
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content: [{ type: 'text', text: 'Yes.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 2 },
}
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  model: 'gpt-5.4',
  output: [
    {
      type: 'message',
      id: 'msg_1',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Yes.', annotations: [] }],
    },
  ],
  parallel_tool_calls: true,
  previous_response_id: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  usage: { input_tokens: 9, output_tokens: 2, total_tokens: 11 },
}
const run = {
  id: '01j',
  requestId: 'req_1',
  choice: 0,
  at: 1,
  ms: 2,
  api: 'chat',
  stream: false,
  model: 'demo',
  upstream: 'u',
  upstreamModel: 'm',
  contract: 'answers',
  key: '',
  status: 'repaired',
  reason: 'repaired',
  httpStatus: 200,
  issues: [],
  fixed: [],
  repairs: [],
  usage,
  delivered: true,
  unchecked: [],
  request: 'Rain?',
  text: 'Yes!',
  attempts: [{ number: 1, call: 'run', ms: 1, finishReason: 'stop', issues: [], text: 'Yes.' }],
}
const generation = (output: unknown, more: object = {}): Fields => ({
  id: 'o1',
  traceId: 't1',
  type: 'GENERATION',
  name: 'chat',
  startTime: '2026-01-01T00:00:00.000Z',
  endTime: null,
  model: 'gpt-5.4',
  modelParameters: {},
  input: asked,
  output,
  usageDetails: { input: 9, output: 2, total: 11 },
  costDetails: { total: 0.5 },
  level: 'DEFAULT',
  statusMessage: null,
  metadata: {},
  ...more,
})
const smith = (outputs: unknown, more: object = {}): Fields => ({
  id: 'r1',
  name: 'ChatOpenAI',
  run_type: 'llm',
  trace_id: 't1',
  dotted_order: '20260101T000000000000Zr1',
  start_time: '2026-01-01T00:00:00',
  inputs: { messages: [asked] },
  outputs,
  error: null,
  extra: { metadata: { ls_model_name: 'gpt-5.4' }, invocation_params: { tools: [weather] } },
  prompt_tokens: 9,
  completion_tokens: 2,
  status: 'success',
  tags: [],
  ...more,
})
const ai = {
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'messages', 'AIMessage'],
  kwargs: { content: 'Yes.', tool_calls: [], response_metadata: { finish_reason: 'stop' } },
}
const helicone = (more: object = {}): Fields => ({
  request_id: 'h1',
  request_created_at: '2026-01-01',
  request_body: { model: 'gpt-5.4', messages: asked, tools: [weather] },
  request_model: 'gpt-5.4',
  response_id: 'hr1',
  response_status: 200,
  response_body: chat('Yes.'),
  response_model: 'gpt-5.4',
  provider: 'OPENAI',
  prompt_tokens: 9,
  completion_tokens: 2,
  cost: 0.5,
  signed_body_url: null,
  ...more,
})
const foo = (more: object = {}): Fields => ({
  id: 'p1',
  promptIdx: 0,
  testIdx: 3,
  testCase: { vars: { q: 'Rain?' } },
  promptId: 'x',
  provider: { id: 'openai:gpt-5.4', label: '' },
  prompt: { raw: 'Rain?', label: 'q' },
  vars: { q: 'Rain?' },
  response: { output: 'Yes.', tokenUsage: { total: 11, prompt: 9, completion: 2 }, finishReason: 'stop', cached: false },
  error: null,
  failureReason: 0,
  success: true,
  score: 1,
  latencyMs: 5,
  cost: 0.5,
  namedScores: {},
  ...more,
})
const spend = (more: object = {}): Fields => ({
  request_id: 's1',
  call_type: 'acompletion',
  api_key: 'hash',
  spend: 0.5,
  total_tokens: 11,
  prompt_tokens: 9,
  completion_tokens: 2,
  startTime: '2026-01-01',
  model: 'gpt-5.4',
  model_group: 'gpt',
  messages: JSON.stringify(asked),
  response: JSON.stringify(chat('Yes.')),
  status: 'success',
  proxy_server_request: JSON.stringify({ model: 'gpt-5.4', messages: asked, tools: [weather] }),
  metadata: {},
  ...more,
})
const output = [
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', content: 'Hm.' },
      { type: 'text', content: 'Yes.' },
    ],
    finish_reason: 'stop',
  },
]
const spoken = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-5',
  'gen_ai.response.model': 'gpt-5.4',
  'gen_ai.response.id': 'chatcmpl-1',
  'gen_ai.usage.input_tokens': 9,
  'gen_ai.usage.output_tokens': 2,
  'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Rain?' }] }],
  'gen_ai.output.messages': output,
}
const listed = Object.entries(spoken).map(([key, value]) => ({
  key,
  value:
    typeof value === 'number' ? { intValue: String(value) } : { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
}))
const brain = (more: object = {}): Fields => ({
  id: 'b1',
  span_id: 'b1',
  root_span_id: 'b0',
  span_parents: ['b0'],
  _xact_id: '1',
  created: '2026-01-01',
  project_id: 'p',
  log_id: 'g',
  input: asked,
  output: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop', logprobs: null }],
  expected: null,
  error: null,
  scores: {},
  metadata: { model: 'gpt-5.4', tools: [weather], temperature: 0 },
  metrics: { prompt_tokens: 9, completion_tokens: 2, estimated_cost: 0.5 },
  span_attributes: { name: 'chat', type: 'llm' },
  ...more,
})

/** Records of a format, written from its published schema, and what is read from each. */
export interface Fixture {
  readonly format: string
  readonly what: string
  readonly record: Fields
  /** One for each answer or its absence; `text` and `calls` are what the answer reads as. */
  readonly reads: readonly Fields[]
}

/** Fixtures of every format. */
export const fixtures: readonly Fixture[] = [
  {
    format: 'stickler',
    what: 'a text',
    record: { id: 1, text: 'Yes.', checks: ['json'], question: 'Rain?', label: 'bad' },
    reads: [{ id: '1', text: 'Yes.', label: 'bad' }],
  },
  {
    format: 'stickler',
    what: 'an export of the gateway',
    record: { id: '01j', text: 'Yes.', question: 'Rain?', model: 'demo', contract: 'answers', finish_reason: 'stop', label: 'good' },
    reads: [{ id: '01j', text: 'Yes.', contract: 'answers', model: 'demo', label: 'good' }],
  },
  { format: 'stickler-runs', what: 'a run', record: run, reads: [{ id: '01j', text: 'Yes.', contract: 'answers', model: 'demo', usage }] },
  {
    format: 'stickler-runs',
    what: 'a list',
    record: {
      items: [
        { ...run, attempts: 1, text: undefined },
        { ...run, text: undefined, attempts: 1, failure: { kind: 'timeout', message: 'late' } },
      ],
    },
    reads: [{ reason: 'text not kept' }, { reason: 'error' }],
  },
  {
    format: 'openai-batch',
    what: 'chat',
    record: { id: 'batch_req_1', custom_id: 'r1', response: { status_code: 200, request_id: 'x', body: chat('Yes.') }, error: null },
    reads: [{ id: 'r1', text: 'Yes.', model: 'gpt-5.4-mini', usage }],
  },
  {
    format: 'openai-batch',
    what: 'responses',
    record: { id: 'batch_req_2', custom_id: 'r2', response: { status_code: 200, request_id: 'x', body: response }, error: null },
    reads: [{ id: 'r2', text: 'Yes.', usage }],
  },
  {
    format: 'openai-batch',
    what: 'completions',
    record: {
      id: 'b',
      custom_id: 'r3',
      response: {
        status_code: 200,
        request_id: 'x',
        body: { object: 'text_completion', id: 'cmpl-1', model: 'm', choices: [{ text: 'Yes.', index: 0, finish_reason: 'length' }] },
      },
      error: null,
    },
    reads: [{ id: 'r3', text: 'Yes.', finish: 'length' }],
  },
  {
    format: 'openai-batch',
    what: 'two choices',
    record: {
      id: 'b',
      custom_id: 'r4',
      response: {
        status_code: 200,
        request_id: 'x',
        body: chat('a', {
          choices: [
            { index: 0, message: { role: 'assistant', content: 'a' } },
            { index: 1, message: { role: 'assistant', content: 'b' } },
          ],
        }),
      },
      error: null,
    },
    reads: [
      { id: 'r4/0', text: 'a' },
      { id: 'r4/1', text: 'b' },
    ],
  },
  {
    format: 'openai-batch',
    what: 'a rejected request',
    record: {
      id: 'b',
      custom_id: 'r5',
      response: { status_code: 429, request_id: 'x', body: { error: { message: 'slow down' } } },
      error: null,
    },
    reads: [{ id: 'r5', reason: 'error' }],
  },
  {
    format: 'openai-batch',
    what: 'an expired request',
    record: { id: 'b', custom_id: 'r6', response: null, error: { code: 'batch_expired', message: 'x' } },
    reads: [{ id: 'r6', reason: 'expired' }],
  },
  {
    format: 'openai-batch',
    what: 'an embedding',
    record: {
      id: 'b',
      custom_id: 'r7',
      response: { status_code: 200, request_id: 'x', body: { object: 'list', data: [], model: 'e' } },
      error: null,
    },
    reads: [{ reason: 'not a generation' }],
  },
  {
    format: 'response',
    what: 'a chat completion',
    record: chat('Yes.'),
    reads: [{ id: 'chatcmpl-1', text: 'Yes.', model: 'gpt-5.4-mini', usage, finish: 'stop' }],
  },
  { format: 'response', what: 'a chat completion without a text', record: chat(null), reads: [{ text: '' }] },
  { format: 'response', what: 'a response', record: response, reads: [{ id: 'resp_1', text: 'Yes.', usage }] },
  {
    format: 'response',
    what: 'a failed response',
    record: { ...response, status: 'failed', error: { code: 'server_error', message: 'x' }, output: [] },
    reads: [{ reason: 'error' }],
  },
  {
    format: 'response',
    what: 'a cancelled response',
    record: { ...response, status: 'cancelled', output: [] },
    reads: [{ reason: 'canceled' }],
  },
  { format: 'response', what: 'a message of Anthropic', record: message, reads: [{ id: 'msg_1', text: 'Yes.', usage }] },
  {
    format: 'response',
    what: 'Gemini',
    record: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2 },
      modelVersion: 'gemini-x',
    },
    reads: [{ text: 'Yes.', model: 'gemini-x', usage }],
  },
  {
    format: 'fine-tuning',
    what: 'a conversation',
    record: {
      messages: [
        ...asked,
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Sure?' },
        { role: 'assistant', content: 'No.', weight: 0 },
      ],
      tools: [weather],
    },
    reads: [{ text: 'Yes.' }],
  },
  { format: 'fine-tuning', what: 'a conversation without an answer', record: { messages: asked }, reads: [{ reason: 'without text' }] },
  {
    format: 'fine-tuning',
    what: 'a preference',
    record: {
      input: { messages: asked, tools: [], parallel_tool_calls: true },
      preferred_output: [{ role: 'assistant', content: 'Yes.' }],
      non_preferred_output: [{ role: 'assistant', content: 'No.' }],
    },
    reads: [
      { text: 'Yes.', label: 'good' },
      { text: 'No.', label: 'bad' },
    ],
  },
  {
    format: 'openai-evals',
    what: 'an item',
    record: {
      id: 'outputitem_1',
      object: 'eval.run.output_item',
      created_at: 1,
      run_id: 'r',
      eval_id: 'e',
      status: 'fail',
      datasource_item_id: 1,
      datasource_item: {},
      results: [
        { name: 'g', passed: true, score: 1 },
        { name: 'h', passed: false, score: 0 },
      ],
      sample: {
        input: asked,
        output: [{ role: 'assistant', content: 'Yes.' }],
        finish_reason: 'stop',
        model: 'gpt-5.4',
        usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11, cached_tokens: 0 },
        error: { code: '', message: '' },
      },
    },
    reads: [{ id: 'outputitem_1', text: 'Yes.', label: 'bad', usage, finish: 'stop' }],
  },
  {
    format: 'anthropic-batch',
    what: 'a success',
    record: { custom_id: 'a1', result: { type: 'succeeded', message } },
    reads: [{ id: 'a1', text: 'Yes.', model: 'claude-x', usage }],
  },
  {
    format: 'anthropic-batch',
    what: 'an error',
    record: {
      custom_id: 'a2',
      result: { type: 'errored', error: { type: 'error', error: { type: 'invalid_request_error', message: 'x' } } },
    },
    reads: [{ reason: 'error' }],
  },
  {
    format: 'anthropic-batch',
    what: 'an expired request',
    record: { custom_id: 'a3', result: { type: 'expired' } },
    reads: [{ reason: 'expired' }],
  },
  {
    format: 'langfuse',
    what: 'a text',
    record: generation('Yes.'),
    reads: [{ id: 'o1', text: 'Yes.', model: 'gpt-5.4', usage: { ...usage, cost: 0.5 } }],
  },
  { format: 'langfuse', what: 'a message', record: generation({ role: 'assistant', content: 'Yes.' }), reads: [{ text: 'Yes.' }] },
  { format: 'langfuse', what: 'a response', record: generation(chat('Yes.')), reads: [{ text: 'Yes.' }] },
  { format: 'langfuse', what: 'data', record: generation({ sentiment: 'good' }), reads: [{ reason: 'unreadable' }] },
  { format: 'langfuse', what: 'nothing', record: generation(null), reads: [{ reason: 'without text' }] },
  { format: 'langfuse', what: 'an error', record: generation(null, { level: 'ERROR', statusMessage: 'x' }), reads: [{ reason: 'error' }] },
  { format: 'langfuse', what: 'a span', record: generation('x', { type: 'SPAN' }), reads: [{ reason: 'not a generation' }] },
  {
    format: 'langfuse',
    what: 'a row of an export',
    record: {
      id: 'o2',
      trace_id: 't',
      project_id: 'p',
      type: 'GENERATION',
      start_time: '2026-01-01',
      provided_model_name: 'gpt-5.4',
      input: JSON.stringify(asked),
      output: JSON.stringify({ role: 'assistant', content: '{"a":1}' }),
      usage_details: { input: 9, output: 2 },
      cost_details: {},
      level: 'DEFAULT',
    },
    reads: [{ id: 'o2', text: '{"a":1}', usage }],
  },
  {
    format: 'langfuse',
    what: 'a row of an export with JSON as its answer',
    record: {
      id: 'o3',
      trace_id: 't',
      type: 'GENERATION',
      start_time: '2026-01-01',
      provided_model_name: null,
      input: 'Rain?',
      output: '{"a":1}',
    },
    reads: [{ text: '{"a":1}' }],
  },
  {
    format: 'langsmith',
    what: 'generations of LangChain',
    record: smith({
      generations: [[{ text: 'Yes.', generation_info: { finish_reason: 'stop' }, type: 'ChatGeneration', message: ai }]],
      llm_output: {},
    }),
    reads: [{ id: 'r1', text: 'Yes.', model: 'gpt-5.4', usage, finish: 'stop' }],
  },
  {
    format: 'langsmith',
    what: 'generations of texts',
    record: smith({ generations: [[{ text: 'Yes.', generation_info: null }]] }),
    reads: [{ text: 'Yes.' }],
  },
  { format: 'langsmith', what: 'a wrapped OpenAI client', record: smith(chat('Yes.')), reads: [{ text: 'Yes.' }] },
  {
    format: 'langsmith',
    what: 'messages',
    record: smith({ messages: [{ role: 'assistant', content: 'Yes.' }] }),
    reads: [{ text: 'Yes.' }],
  },
  { format: 'langsmith', what: 'an error', record: smith(null, { error: 'Timeout' }), reads: [{ reason: 'error' }] },
  { format: 'langsmith', what: 'a chain', record: smith({ output: 'x' }, { run_type: 'chain' }), reads: [{ reason: 'not a generation' }] },
  { format: 'helicone', what: 'a request', record: helicone(), reads: [{ id: 'h1', text: 'Yes.', usage: { ...usage, cost: 0.5 } }] },
  { format: 'helicone', what: 'a failure', record: helicone({ response_status: 500 }), reads: [{ reason: 'error' }] },
  {
    format: 'helicone',
    what: 'a body elsewhere',
    record: helicone({ response_body: {}, signed_body_url: 'https://bodies.example/1' }),
    reads: [{ reason: 'body not exported' }],
  },
  {
    format: 'promptfoo',
    what: 'a file',
    record: {
      evalId: 'e1',
      results: {
        version: 3,
        timestamp: 'x',
        prompts: [],
        results: [
          foo(),
          foo({ id: undefined, success: false, failureReason: 1, response: { output: 'No.' } }),
          foo({ failureReason: 2, success: false, response: { error: 'x' }, error: 'x' }),
        ],
        stats: {},
      },
      config: {},
      shareableUrl: null,
    },
    reads: [
      { id: 'p1', text: 'Yes.', label: 'good', usage: { ...usage, cost: 0.5 } },
      { id: 'e1/3/0', text: 'No.', label: 'bad' },
      { reason: 'error' },
    ],
  },
  {
    format: 'promptfoo',
    what: 'a line',
    record: foo({ id: 'p2', prompt: { raw: JSON.stringify(asked) } }),
    reads: [{ id: 'p2', text: 'Yes.', finish: 'stop' }],
  },
  {
    format: 'promptfoo',
    what: 'a parsed answer',
    record: foo({ response: { output: { a: 1 }, raw: JSON.stringify(chat('{"a":1}')) } }),
    reads: [{ text: '{"a":1}' }],
  },
  {
    format: 'litellm',
    what: 'a row of spend logs',
    record: spend(),
    reads: [{ id: 's1', text: 'Yes.', model: 'gpt-5.4', usage: { ...usage, cost: 0.5 } }],
  },
  {
    format: 'litellm',
    what: 'a row with objects',
    record: spend({ response: chat('Yes.'), messages: asked, proxy_server_request: {} }),
    reads: [{ text: 'Yes.' }],
  },
  {
    format: 'litellm',
    what: 'a row without texts',
    record: spend({ response: '{}', messages: '{}' }),
    reads: [{ reason: 'text not kept' }],
  },
  {
    format: 'litellm',
    what: 'a redacted row',
    record: spend({ response: chat('redacted-by-litellm') }),
    reads: [{ reason: 'text not kept' }],
  },
  { format: 'litellm', what: 'an embedding', record: spend({ call_type: 'aembedding' }), reads: [{ reason: 'not a generation' }] },
  {
    format: 'litellm',
    what: 'a payload of a callback',
    record: {
      id: 'l1',
      trace_id: 't',
      call_type: 'completion',
      response_cost: 0.5,
      status: 'success',
      prompt_tokens: 9,
      completion_tokens: 2,
      model: 'gpt-5.4',
      model_map_information: {},
      messages: asked,
      response: chat('Yes.'),
      model_parameters: { tools: [weather] },
      metadata: {},
    },
    reads: [{ id: 'l1', text: 'Yes.', usage: { ...usage, cost: 0.5 } }],
  },
  { format: 'litellm', what: 'a failed call', record: spend({ status: 'failure', response: '{}' }), reads: [{ reason: 'error' }] },
  {
    format: 'otel',
    what: 'flat attributes',
    record: spoken,
    reads: [{ id: 'chatcmpl-1', text: 'Yes.', model: 'gpt-5.4', usage, finish: 'stop' }],
  },
  {
    format: 'otel',
    what: 'a span',
    record: {
      name: 'chat gpt-5',
      context: { trace_id: '0x1', span_id: '0x2' },
      kind: 'CLIENT',
      attributes: { ...spoken, 'gen_ai.output.messages': JSON.stringify(output) },
      events: [],
    },
    reads: [{ text: 'Yes.' }],
  },
  {
    format: 'otel',
    what: 'another span',
    record: { name: 'GET /', context: { trace_id: '0x1', span_id: '0x3' }, attributes: { 'http.route': '/' } },
    reads: [{ reason: 'not a generation' }],
  },
  {
    format: 'otel',
    what: 'OTLP',
    record: {
      resourceSpans: [
        {
          resource: {},
          scopeSpans: [
            {
              scope: {},
              spans: [
                { traceId: '1', spanId: '2', name: 'chat', attributes: listed },
                { traceId: '1', spanId: '3', name: 'GET', attributes: [] },
              ],
            },
          ],
        },
      ],
    },
    reads: [{ id: 'chatcmpl-1', text: 'Yes.', usage }, { reason: 'not a generation' }],
  },
  {
    format: 'otel',
    what: 'OTLP logs with structured values',
    record: {
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  eventName: 'gen_ai.client.inference.operation.details',
                  spanId: '4',
                  attributes: [
                    {
                      key: 'gen_ai.output.messages',
                      value: {
                        arrayValue: {
                          values: [
                            {
                              kvlistValue: {
                                values: [
                                  { key: 'role', value: { stringValue: 'assistant' } },
                                  {
                                    key: 'parts',
                                    value: {
                                      arrayValue: {
                                        values: [
                                          {
                                            kvlistValue: {
                                              values: [
                                                { key: 'type', value: { stringValue: 'tool_call' } },
                                                { key: 'id', value: { stringValue: 'c1' } },
                                                { key: 'name', value: { stringValue: 'weather' } },
                                                {
                                                  key: 'arguments',
                                                  value: { kvlistValue: { values: [{ key: 'city', value: { stringValue: 'Rome' } }] } },
                                                },
                                              ],
                                            },
                                          },
                                        ],
                                      },
                                    },
                                  },
                                  { key: 'finish_reason', value: { stringValue: 'tool_call' } },
                                ],
                              },
                            },
                          ],
                        },
                      },
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
    reads: [{ id: '4', text: '', calls: [['weather', '{"city":"Rome"}']] }],
  },
  {
    format: 'otel',
    what: 'a span without content',
    record: { ...spoken, 'gen_ai.output.messages': undefined },
    reads: [{ reason: 'text not kept' }],
  },
  {
    format: 'otel',
    what: 'an unknown part',
    record: { ...spoken, 'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'hologram' }] }] },
    reads: [{ reason: 'unreadable' }],
  },
  {
    format: 'braintrust',
    what: 'choices',
    record: brain(),
    reads: [{ id: 'b1', text: 'Yes.', model: 'gpt-5.4', usage: { ...usage, cost: 0.5 } }],
  },
  {
    format: 'braintrust',
    what: 'a text',
    record: brain({ output: 'Yes.', span_attributes: { name: 'x' }, input: 'Rain?' }),
    reads: [{ text: 'Yes.' }],
  },
  { format: 'braintrust', what: 'a tool', record: brain({ span_attributes: { type: 'tool' } }), reads: [{ reason: 'not a generation' }] },
  { format: 'braintrust', what: 'an error', record: brain({ output: null, error: 'x' }), reads: [{ reason: 'error' }] },
  { format: 'plain', what: 'prompt and completion', record: { prompt: 'Rain?', completion: 'Yes.' }, reads: [{ text: 'Yes.' }] },
  {
    format: 'plain',
    what: 'input and output',
    record: { id: 'x', input: asked, output: { role: 'assistant', content: 'Yes.' }, metadata: {} },
    reads: [{ id: 'x', text: 'Yes.' }],
  },
  { format: 'plain', what: 'question and answer', record: { question: 'Rain?', answer: null }, reads: [{ reason: 'without text' }] },
  {
    format: 'batch-requests',
    what: 'requests of OpenAI',
    record: { custom_id: 'r1', method: 'POST', url: '/v1/chat/completions', body: { model: 'm', messages: asked } },
    reads: [],
  },
  {
    format: 'batch-requests',
    what: 'requests of Anthropic',
    record: { custom_id: 'r1', params: { model: 'm', max_tokens: 1, messages: asked } },
    reads: [],
  },
]
