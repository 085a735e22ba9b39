import { pieces, type Recording } from './recording.ts'

type Item = Readonly<Record<string, unknown>>

const usage = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 18,
}
const base = (status: string, output: readonly Item[], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_750_000_000,
  status,
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  model: 'real-2026',
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  usage: status === 'in_progress' ? null : usage,
  metadata: {},
  ...more,
})
const text = 'Use spaces, since they look the same everywhere.'
const part = (words: string, more: object = {}) => ({ type: 'output_text', annotations: [], logprobs: [], text: words, ...more })
const message = (content: readonly object[], status = 'completed') => ({ id: 'msg_1', type: 'message', status, role: 'assistant', content })

interface Step {
  readonly done: Item
  /** How the item looks when it is opened. */
  readonly added: Item
  readonly between: readonly Item[]
}
/** A stream from its items: opened, filled, closed, numbered. */
function streamed(steps: readonly Step[], more: object = {}, last = 'completed'): Item[] {
  const items = steps.flatMap(({ added, between, done }, output_index) => [
    { type: 'response.output_item.added', output_index, item: added },
    ...between.map((event) => ({ output_index, ...event })),
    { type: 'response.output_item.done', output_index, item: done },
  ])
  return [
    { type: 'response.created', response: base('in_progress', []) },
    { type: 'response.in_progress', response: base('in_progress', []) },
    ...items,
    {
      type: `response.${last}`,
      response: base(
        last,
        steps.map(({ done }) => done),
        more,
      ),
    },
  ].map((event, sequence_number) => ({ ...event, sequence_number }))
}
const saying = (words: string, { annotations = [] as readonly object[], logprobs = false } = {}): Step => {
  const at = { item_id: 'msg_1', content_index: 0 }
  const tokens = pieces(words).map((token, number) => ({ token, logprob: -0.5 * number, bytes: [1], top_logprobs: [] }))
  const final = part(words, { annotations, logprobs: logprobs ? tokens : [] })
  return {
    added: message([], 'in_progress'),
    between: [
      { type: 'response.content_part.added', ...at, part: part('') },
      ...pieces(words).map((delta, number) => ({
        type: 'response.output_text.delta',
        ...at,
        delta,
        logprobs: logprobs ? [tokens[number]] : [],
        obfuscation: 'ab',
      })),
      ...annotations.map((annotation, annotation_index) => ({
        type: 'response.output_text.annotation.added',
        ...at,
        annotation_index,
        annotation,
      })),
      { type: 'response.output_text.done', ...at, text: words, logprobs: logprobs ? tokens : [] },
      { type: 'response.content_part.done', ...at, part: final },
    ],
    done: message([final]),
  }
}
const calling: Step = {
  added: { id: 'fc_1', type: 'function_call', status: 'in_progress', arguments: '', call_id: 'call_1', name: 'get_weather' },
  between: [
    ...pieces('{"city": "Rome"}').map((delta) => ({ type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta })),
    { type: 'response.function_call_arguments.done', item_id: 'fc_1', name: 'get_weather', arguments: '{"city": "Rome"}' },
  ],
  done: { id: 'fc_1', type: 'function_call', status: 'completed', arguments: '{"city": "Rome"}', call_id: 'call_1', name: 'get_weather' },
}
const custom: Step = {
  added: { id: 'ctc_1', type: 'custom_tool_call', status: 'in_progress', input: '', call_id: 'call_1', name: 'run_code' },
  between: [
    { type: 'response.custom_tool_call_input.delta', item_id: 'ctc_1', delta: 'print(1)' },
    { type: 'response.custom_tool_call_input.done', item_id: 'ctc_1', input: 'print(1)' },
  ],
  done: { id: 'ctc_1', type: 'custom_tool_call', status: 'completed', input: 'print(1)', call_id: 'call_1', name: 'run_code' },
}
const summary = { type: 'summary_text', text: 'Compared both.' }
const thinking: Step = {
  added: { id: 'rs_1', type: 'reasoning', encrypted_content: 'ZW4=', summary: [] },
  between: [
    { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: 0, part: { type: 'summary_text', text: '' } },
    ...pieces(summary.text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta })),
    { type: 'response.reasoning_summary_text.done', item_id: 'rs_1', summary_index: 0, text: summary.text },
    { type: 'response.reasoning_summary_part.done', item_id: 'rs_1', summary_index: 0, part: summary },
  ],
  done: { id: 'rs_1', type: 'reasoning', encrypted_content: 'ZW5j', summary: [summary] },
}
const searching: Step = {
  added: { id: 'ws_1', type: 'web_search_call', status: 'in_progress', action: { type: 'search', query: 'spaces' } },
  between: ['in_progress', 'searching', 'completed'].map((state) => ({ type: `response.web_search_call.${state}`, item_id: 'ws_1' })),
  done: { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'spaces', sources: [] } },
}
const refusing: Step = {
  added: message([], 'in_progress'),
  between: [
    { type: 'response.content_part.added', item_id: 'msg_1', content_index: 0, part: { type: 'refusal', refusal: '' } },
    ...pieces('I cannot help.').map((delta) => ({ type: 'response.refusal.delta', item_id: 'msg_1', content_index: 0, delta })),
    { type: 'response.refusal.done', item_id: 'msg_1', content_index: 0, refusal: 'I cannot help.' },
    { type: 'response.content_part.done', item_id: 'msg_1', content_index: 0, part: { type: 'refusal', refusal: 'I cannot help.' } },
  ],
  done: message([{ type: 'refusal', refusal: 'I cannot help.' }]),
}
const both = (steps: readonly Step[], more: object = {}, last = 'completed') => ({
  whole: base(
    last,
    steps.map(({ done }) => done),
    more,
  ),
  events: streamed(steps, more, last),
})
const citation = { type: 'url_citation', start_index: 0, end_index: 10, url: 'https://example.org/a', title: 'A' }
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const ask = (content: readonly object[]) => ({ input: [{ role: 'user', content }] })

/** What responses can do. */
export const responsesRecordings: readonly Recording[] = [
  { name: 'text', ...both([saying(text)]) },
  {
    name: 'structured output',
    request: { text: { format: { type: 'json_schema', name: 'place', schema, strict: true }, verbosity: 'low' } },
    ...both([saying('{"city": "Rome"}')]),
  },
  {
    name: 'tools',
    request: { tools: [{ type: 'function', name: 'get_weather', parameters: schema, strict: true }] },
    ...both([saying(text), calling]),
  },
  { name: 'custom tools', request: { tools: [{ type: 'custom', name: 'run_code', format: { type: 'text' } }] }, ...both([custom]) },
  {
    name: 'reasoning',
    request: { reasoning: { effort: 'low', summary: 'auto' }, include: ['reasoning.encrypted_content'], store: false },
    ...both([thinking, saying(text)], { reasoning: { effort: 'low', summary: 'detailed' } }),
  },
  {
    name: 'logprobs',
    request: { include: ['message.output_text.logprobs'], top_logprobs: 1 },
    ...both([saying(text, { logprobs: true })]),
  },
  {
    name: 'images',
    request: ask([
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' },
    ]),
    ...both([saying(text)]),
  },
  {
    name: 'documents with citations',
    request: ask([{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' }]),
    ...both([saying(text, { annotations: [{ type: 'file_citation', index: 9, file_id: 'file_1', filename: 'a.pdf' }] })]),
  },
  {
    name: 'caching',
    request: { prompt_cache_key: 'k', prompt_cache_retention: '24h', safety_identifier: 's', metadata: { a: 'b' } },
    ...both([saying(text)], { prompt_cache_key: 'k', usage: { ...usage, cost: 0.25 } }),
  },
  { name: 'refusal', ...both([refusing]) },
  {
    name: 'server tools',
    request: { tools: [{ type: 'web_search', search_context_size: 'low' }], include: ['web_search_call.action.sources'] },
    ...both([searching, saying(text, { annotations: [citation] })]),
  },
  {
    name: 'stored state',
    request: { previous_response_id: 'resp_0', truncation: 'auto', instructions: 'Be brief.', background: false },
    ...both([saying(text)], { previous_response_id: 'resp_0' }),
  },
  {
    name: 'length',
    isCut: true,
    request: { max_output_tokens: 16 },
    ...both([saying('Use spaces, sin')], { incomplete_details: { reason: 'max_output_tokens' } }, 'incomplete'),
  },
  {
    name: 'a request that is too long',
    status: 400,
    headers: { 'x-ratelimit-remaining-requests': '59', 'x-request-id': 'req_provider_1' },
    whole: { error: { message: 'Too long.', type: 'invalid_request_error', param: 'input', code: 'context_length_exceeded' } },
  },
  {
    name: 'too many requests',
    status: 429,
    headers: { 'retry-after': '7', 'x-ratelimit-limit-requests': '60' },
    whole: { error: { message: 'Slow down.', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
  },
  {
    name: 'an error in a stream',
    breaks: true,
    events: [
      ...streamed([saying(text)]).slice(0, 6),
      { type: 'error', code: 'server_error', message: 'Overloaded.', param: null, sequence_number: 6 },
    ],
  },
  {
    name: 'a response that fails',
    breaks: true,
    events: streamed([], { error: { code: 'server_error', message: 'Overloaded.' }, usage: null }, 'failed'),
  },
].map((one) => ({ api: 'responses', ...one }) as Recording)
