import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, errorOf, verdictOf } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  strict: { checks: [{ max_words: { limit: 50 } }], retries: 0 }
  open: { checks: [{ max_words: { limit: 50 } }], retries: 0, unchecked: deliver }
  safe: { checks: [{ sensitive: { redact: true } }], retries: 0 }
routes:
  - { model: strict, upstream: openai, contract: strict }
  - { model: translated, upstream: chat, contract: strict }
  - { model: open, upstream: openai, contract: open }
  - { model: safe, upstream: openai, contract: safe }
  - { model: plain, upstream: openai }
  - { model: claude-strict, upstream: anthropic, contract: strict }
  - { model: claude-open, upstream: anthropic, contract: open }
  - { model: claude-plain, upstream: anthropic }
`

type Json = Record<string, unknown>
type Way = readonly [name: string, api: ApiName, reply: Json | readonly Json[]]

let gateway: TestGateway
let openai: OpenAI

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
})
afterAll(() => gateway.close())

const evil = 'CANARY'
const parameters = { type: 'object', properties: { x: { type: 'string' } } }
const tools: Readonly<Record<ApiName, readonly Json[]>> = {
  chat: [{ type: 'function', function: { name: 'f', parameters } }],
  responses: [{ type: 'function', name: 'f', parameters }],
  messages: [{ name: 'f', input_schema: parameters }],
}

async function asked(api: ApiName, contract: string, reply: Json | readonly Json[]) {
  const isStream = Array.isArray(reply)
  gateway.upstream.enqueue(isStream ? answeringEvents(reply as Json[], { done: api === 'chat' }) : answeringBody(reply))
  const model = api === 'messages' ? `claude-${contract}` : contract
  return await ask(gateway, api, { model, stream: isStream, fields: { tools: tools[api] } })
}

// Chat completions.
const whole = (message: Json, beside: Json = {}, top: Json = {}): Json => ({
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', ...top },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.', ...message }, finish_reason: 'stop', ...beside }],
})
const chunk = (delta: unknown, beside: Json = {}, top: Json = {}): Json => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...top },
  choices: [{ index: 0, delta, finish_reason: null, ...beside }],
})
const good = chunk({ role: 'assistant', content: 'Fine.' })
const stop = chunk({}, { finish_reason: 'stop' })
const chunks = (delta: unknown, beside: Json = {}, top: Json = {}): Json[] => [good, chunk(delta, beside, top), stop]
const call = (called: Json, more: Json = {}): Json => ({
  tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}', ...called }, ...more }],
})
const token = (text: unknown): Json => ({ token: text, logprob: 0, bytes: null, top_logprobs: [] })

// Responses.
const part = (text: unknown, more: Json = {}): Json => ({ type: 'output_text', text, annotations: [], ...more })
const said = (...content: unknown[]): Json => ({ id: 'i', type: 'message', role: 'assistant', status: 'completed', content })
const response = (output: unknown, more: Json = {}): Json => ({
  ...{ id: 'r', object: 'response', created_at: 1, model: 'm', status: 'completed', output, ...more },
})
const place = { item_id: 'i', output_index: 0, content_index: 0 }
const begun = { type: 'response.created', response: response([], { status: 'in_progress' }) }
const added: Json[] = [
  { type: 'response.output_item.added', output_index: 0, item: { ...said(), status: 'in_progress' } },
  { type: 'response.content_part.added', ...place, part: part('') },
]
const delta = (text: unknown, more: Json = {}): Json => ({ type: 'response.output_text.delta', ...place, delta: text, ...more })
const ended = [
  { type: 'response.output_text.done', ...place, text: 'Fine.' },
  { type: 'response.content_part.done', ...place, part: part('Fine.') },
  { type: 'response.output_item.done', output_index: 0, item: said(part('Fine.')) },
]
const completed = (more: Json = {}, output: unknown = [said(part('Fine.'))]): Json => ({
  type: 'response.completed',
  response: response(output, more),
})
/** A stream that says the same everywhere, with further events before its end. */
const events = (...more: Json[]): Json[] => [begun, ...added, delta('Fine.'), ...more, ...ended, completed()]
const refusing = (what: string, more: Json): Json => ({ type: `response.refusal.${what}`, ...place, content_index: 1, ...more })
const fn = (more: Json): Json => ({
  id: 'f',
  type: 'function_call',
  call_id: 'c',
  name: 'f',
  arguments: '{}',
  status: 'completed',
  ...more,
})
const custom = (more: Json): Json => ({ id: 'f', type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'x', ...more })

// Messages.
const message = (content: unknown, more: Json = {}): Json => ({
  ...{ id: 'm', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', stop_sequence: null },
  ...{ usage: { input_tokens: 1, output_tokens: 1 }, ...more },
})
const start = (content: unknown = []): Json => ({ type: 'message_start', message: { ...message(content), stop_reason: null } })
const text = { type: 'text', text: 'Fine.' }
const opened = (index: number, content_block: unknown): Json => ({ type: 'content_block_start', index, content_block })
const add = (index: number, delta: unknown): Json => ({ type: 'content_block_delta', index, delta })
const closed = (index: number): Json => ({ type: 'content_block_stop', index })
const over = (delta: Json = {}): Json[] => [
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null, ...delta }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
const fine = [opened(0, { type: 'text', text: '' }), add(0, { type: 'text_delta', text: 'Fine.' }), closed(0)]
/** A stream that is fine, with further events behind its text. */
const stream = (...more: Json[]): Json[] => [start(), ...fine, ...more, ...over()]
const use = (more: Json): Json => ({ type: 'tool_use', id: 't', name: 'f', input: {}, ...more })

const ways: readonly Way[] = [
  ['content that is a list of texts', 'chat', whole({ content: [evil] })],
  ['content that is a number', 'chat', whole({ content: 4711 })],
  ['a message that is a text', 'chat', { ...whole({}), choices: [{ index: 0, message: evil, finish_reason: 'stop' }] }],
  ['a refusal beside text', 'chat', whole({ refusal: evil })],
  ['a refusal that is a list', 'chat', whole({ refusal: [evil] })],
  ['a parsed value of its own', 'chat', whole({ parsed: { x: evil } })],
  ['log probabilities of other words', 'chat', whole({}, { logprobs: { content: [token(evil)], refusal: null } })],
  ['log probabilities that are a text', 'chat', whole({}, { logprobs: evil })],
  ['a text beside the message that is a list', 'chat', whole({}, { text: [evil] })],
  ['arguments that are a list', 'chat', whole(call({ arguments: [evil] }))],
  ['a name that is a list', 'chat', whole(call({ name: [evil] }))],
  ['parsed arguments of their own', 'chat', whole(call({ parsed_arguments: { x: evil } }))],
  ['calls by name', 'chat', whole({ tool_calls: { 0: { function: { name: evil, arguments: '{}' } } } })],
  ['a call that is a text', 'chat', whole({ tool_calls: [evil] })],
  ['a function_call that is a list', 'chat', whole({ function_call: { name: 'f', arguments: [evil] } })],
  [
    'input of a custom tool that is a list',
    'chat',
    whole({ tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'f', input: [evil] } }] }),
  ],
  ['a message beside the choices', 'chat', whole({}, {}, { message: { role: 'assistant', content: evil } })],
  ['content pieces that are lists', 'chat', chunks({ content: [evil] })],
  ['a delta that is a text', 'chat', chunks(evil)],
  ['a delta that is a list', 'chat', chunks([evil])],
  ['a choice that is a text', 'chat', [good, { ...good, choices: [evil] }, stop]],
  ['choices that are a text', 'chat', [good, { ...good, choices: evil }, stop]],
  ['refusal pieces beside text', 'chat', chunks({ refusal: evil })],
  ['refusal pieces that are lists', 'chat', chunks({ refusal: [evil] })],
  ['a parsed value in a piece', 'chat', chunks({ parsed: { x: evil } })],
  ['log probabilities of other words in pieces', 'chat', chunks({ content: ' Yes.' }, { logprobs: { content: [token(evil)] } })],
  ['log probabilities of a refusal in pieces', 'chat', chunks({}, { logprobs: { refusal: [token(evil)] } })],
  ['log probabilities by tokens in pieces', 'chat', chunks({}, { logprobs: { tokens: [evil] } })],
  ['arguments pieces that are lists', 'chat', chunks(call({ arguments: [evil] }))],
  ['arguments pieces that are objects', 'chat', chunks(call({ arguments: { x: evil } }))],
  ['name pieces that are lists', 'chat', chunks(call({ name: [evil] }))],
  ['a name that is replaced', 'chat', [good, chunk(call({ name: 'f', arguments: '' })), chunk(call({ name: evil })), stop]],
  ['function_call pieces that are lists', 'chat', chunks({ function_call: { name: 'f', arguments: [evil] } })],
  ['a message beside the choices of a chunk', 'chat', chunks({}, {}, { message: { content: evil } })],

  ['text that is a list', 'responses', response([said(part([evil]))])],
  ['text that is an object', 'responses', response([said(part('Fine.'), part({ value: evil }))])],
  ['a part that is a text', 'responses', response([said(part('Fine.'), evil)])],
  ['content that is a text', 'responses', response([said(part('Fine.')), { ...said(), content: evil }])],
  ['an item that is a text', 'responses', response([said(part('Fine.')), evil])],
  ['a part of an unknown type', 'responses', response([said(part('Fine.'), { type: 'rich_text', text: evil })])],
  ['a refusal beside text', 'responses', response([said(part('Fine.'), { type: 'refusal', refusal: evil })])],
  ['a joined text that is a list', 'responses', response([said(part('Fine.'))], { output_text: [evil] })],
  ['a parsed value of its own', 'responses', response([said(part('Fine.', { parsed: { x: evil } }))])],
  ['log probabilities of other words', 'responses', response([said(part('Fine.', { logprobs: [token(evil)] }))])],
  ['arguments that are a list', 'responses', response([said(part('Fine.')), fn({ arguments: [evil] })])],
  ['arguments that are an object', 'responses', response([said(part('Fine.')), fn({ arguments: { x: evil } })])],
  ['a name that is a list', 'responses', response([said(part('Fine.')), fn({ name: [evil] })])],
  ['input that is a list', 'responses', response([said(part('Fine.')), custom({ input: [evil] })])],
  [
    'reasoning that is a list',
    'responses',
    response([{ id: 'q', type: 'reasoning', summary: [{ type: 'summary_text', text: [evil] }] }, said(part('Fine.'))]),
  ],
  ['deltas that are lists', 'responses', events(delta([evil]))],
  ['deltas that are objects', 'responses', events(delta({ text: evil }))],
  [
    'arguments deltas that are lists',
    'responses',
    events({ type: 'response.function_call_arguments.delta', output_index: 1, delta: [evil] }),
  ],
  [
    'arguments that end as a list',
    'responses',
    events({ type: 'response.function_call_arguments.done', output_index: 1, arguments: [evil] }),
  ],
  [
    'an item added with arguments that are a list',
    'responses',
    events({ type: 'response.output_item.added', output_index: 1, item: fn({ arguments: [evil] }) }),
  ],
  [
    'a part added with text that is a list',
    'responses',
    events({ type: 'response.content_part.added', ...place, content_index: 1, part: part([evil]) }),
  ],
  ['text that ends as a list', 'responses', events({ type: 'response.output_text.done', ...place, text: [evil] })],
  ['output in the first event', 'responses', [{ ...begun, response: response([said(part(evil))]) }, ...events().slice(1)]],
  [
    'output while in progress',
    'responses',
    [begun, { type: 'response.in_progress', response: response([said(part(evil))]) }, ...events().slice(1)],
  ],
  ['a joined text in the first event', 'responses', [{ ...begun, response: response([], { output_text: evil }) }, ...events().slice(1)]],
  ['another joined text at the end', 'responses', [...events().slice(0, -1), completed({ output_text: evil })]],
  ['a joined text that is a list at the end', 'responses', [...events().slice(0, -1), completed({ output_text: [evil] })]],
  ['a parsed value at the end', 'responses', [...events().slice(0, -1), completed({}, [said(part('Fine.', { parsed: { x: evil } }))])]],
  [
    'log probabilities of other words at the end',
    'responses',
    [...events().slice(0, -1), completed({}, [said(part('Fine.', { logprobs: [token(evil)] }))])],
  ],
  ['an unknown event with text', 'responses', events({ type: 'response.rocket', text: evil })],
  ['an unknown event with a delta', 'responses', events({ type: 'response.output_markdown.delta', ...place, delta: evil })],
  ['an unknown event with a message', 'responses', events({ type: 'response.rocket', message: { content: evil } })],
  ['an unknown event with output', 'responses', events({ type: 'response.rocket', output: [said(part(evil))] })],
  ['an unknown event with an item', 'responses', events({ type: 'response.rocket', output_index: 1, item: said(part(evil)) })],
  ['an unknown event with a part', 'responses', events({ type: 'response.rocket', ...place, content_index: 1, part: part(evil) })],
  ['an unknown event with a response', 'responses', events({ type: 'response.rocket', response: response([said(part(evil))]) })],
  ['the transcript of sound', 'responses', events({ type: 'response.audio.transcript.delta', delta: evil })],
  ['log probabilities of other words in pieces', 'responses', events(delta(' Yes.', { logprobs: [token(evil)] }))],
  ['refusal deltas', 'responses', events(refusing('delta', { delta: evil }))],
  ['refusal deltas without an end', 'responses', events(refusing('delta', { delta: evil }), refusing('done', { refusal: '' }))],
  ['a refusal that is done', 'responses', events(refusing('done', { refusal: evil }))],
  [
    'input of a custom tool that is told in other words',
    'responses',
    [
      begun,
      { type: 'response.output_item.added', output_index: 0, item: custom({ input: '' }) },
      { type: 'response.custom_tool_call_input.delta', output_index: 0, delta: evil },
      completed({}, [custom({})]),
    ],
  ],

  ['text that is a list', 'messages', message([text, { type: 'text', text: [evil] }])],
  ['text that is an object', 'messages', message([text, { type: 'text', text: { value: evil } }])],
  ['a block that is a text', 'messages', message([text, evil])],
  ['a name that is a list', 'messages', message([text, use({ name: [evil] })])],
  ['input that is a list', 'messages', message([text, use({ input: [evil] })])],
  ['input that is a text', 'messages', message([text, use({ input: evil })])],
  ['a parsed value of its own', 'messages', message([{ ...text, parsed_output: { x: evil } }])],
  [
    'text deltas that are lists',
    'messages',
    [start(), fine[0] as Json, add(0, { type: 'text_delta', text: [evil] }), ...fine.slice(1), ...over()],
  ],
  [
    'text deltas that are objects',
    'messages',
    [start(), fine[0] as Json, add(0, { type: 'text_delta', text: { value: evil } }), ...fine.slice(1), ...over()],
  ],
  ['a block that begins with a list', 'messages', stream(opened(1, { type: 'text', text: [evil] }), closed(1))],
  ['a block that begins as a text', 'messages', stream(opened(1, evil), closed(1))],
  ['a delta that is a list', 'messages', stream(opened(1, { type: 'text', text: '' }), add(1, [evil]), closed(1))],
  [
    'a delta of an unknown type',
    'messages',
    stream(opened(1, { type: 'text', text: '' }), add(1, { type: 'rich_text_delta', text: evil }), closed(1)),
  ],
  [
    'partial_json that is a list',
    'messages',
    stream(opened(1, use({})), add(1, { type: 'input_json_delta', partial_json: [`{"x":"${evil}"}`] }), closed(1)),
  ],
  ['input that begins as a list', 'messages', stream(opened(1, use({ input: [evil] })), closed(1))],
  ['a name that begins as a list', 'messages', stream(opened(1, use({ name: [evil] })), closed(1))],
  ['content of a message that is a text', 'messages', [start(evil), ...fine, ...over()]],
  ['a block of a message that is a text', 'messages', [start([evil]), ...fine, ...over()]],
  ['text at the end of a message', 'messages', [start(), ...fine, ...over({ text: evil })]],
  ['an unknown event with text', 'messages', stream({ type: 'rocket', text: evil })],
  ['an event of completions', 'messages', stream({ type: 'completion', completion: evil })],
  ['an unknown event with a message', 'messages', stream({ type: 'rocket', message: message([{ type: 'text', text: evil }]) })],
  [
    'thinking deltas that are lists',
    'messages',
    stream(opened(1, { type: 'thinking', thinking: '' }), add(1, { type: 'thinking_delta', thinking: [evil] }), closed(1)),
  ],
]

describe('what is not read is never delivered as valid', () => {
  const named = ways.map(([name, api, reply]) => [`${api}, ${Array.isArray(reply) ? 'streamed' : 'whole'}: ${name}`, api, reply] as const)

  test.each(named)('%s', async (_name, api, reply) => {
    const strict = await asked(api, 'strict', reply)
    const shown = strict.events.filter(({ data }) => !data.includes('"error":{'))
    expect(shown.map(({ data }) => data).join()).not.toMatch(/CANARY|4711/)
    expect(errorOf(strict)).toMatchObject({ type: expect.stringMatching(/^contract_/) })
    const open = await asked(api, 'open', reply)
    // A call that is not sound is a violation as well.
    if (errorOf(open) === undefined) expect(verdictOf(open)).toMatchObject({ status: 'unchecked', unchecked: ['unread'] })
    else expect(errorOf(open)).toMatchObject({ type: 'contract_violation' })
    // Without a contract it passes as it is.
    expect((await asked(api, 'plain', reply)).body).toMatch(/CANARY|4711/)
  })
})

describe('what is translated is read in the same way', () => {
  test.each<readonly [string, ApiName, string, Json | readonly Json[]]>([
    ['a refusal beside text', 'responses', 'translated', whole({ refusal: evil })],
    ['a refusal beside text', 'responses', 'translated', chunks({ refusal: evil })],
    ['content that is a list of texts', 'messages', 'translated', whole({ content: [evil] })],
    ['a parsed value of its own', 'messages', 'translated', chunks({ parsed: { x: evil } })],
    ['text that is a list', 'chat', 'claude-strict', message([text, { type: 'text', text: [evil] }])],
    [
      'partial_json that is a list',
      'chat',
      'claude-strict',
      stream(opened(1, use({})), add(1, { type: 'input_json_delta', partial_json: [evil] }), closed(1)),
    ],
  ])('%s, as %s', async (_name, api, model, reply) => {
    const isStream = Array.isArray(reply)
    gateway.upstream.enqueue(isStream ? answeringEvents(reply as Json[]) : answeringBody(reply))
    const { body } = await ask(gateway, api, { model, stream: isStream, fields: { tools: tools[api] } })
    expect(body).not.toContain(evil)
    expect(body).toContain('UNCHECKED')
  })
})

describe('what only repeats what was read is valid', () => {
  const json = '{"x":"y"}'
  const repeated: readonly Way[] = [
    ['a parsed value', 'chat', whole({ content: json, parsed: { x: 'y' } })],
    ['parsed arguments', 'chat', whole(call({ arguments: json, parsed_arguments: { x: 'y' } }))],
    ['log probabilities', 'chat', whole({}, { logprobs: { content: [token('F'), token('ine'), token('.'), token('<|end|>')] } })],
    [
      'log probabilities of reasoning',
      'chat',
      whole({ reasoning_content: 'So.' }, { logprobs: { content: [token('So'), token('.'), token(' Fine'), token('.')] } }),
    ],
    ['log probabilities before their text', 'chat', [chunk({ content: '' }, { logprobs: { content: [token('Fine.')] } }), good, stop]],
    ['unknown fields', 'chat', whole({ x: evil }, { y: [evil] }, { z: { text: evil } })],
    ['a joined text', 'responses', [...events().slice(0, -1), completed({ output_text: 'Fine.' })]],
    [
      'output while in progress',
      'responses',
      events({ type: 'response.in_progress', response: response([said(part('Fine.'))], { output_text: 'Fine.' }) }),
    ],
    [
      'an unknown event with its item',
      'responses',
      events({ type: 'response.rocket', output_index: 0, item: said(part('Fine.')), note: evil }),
    ],
    ['a parsed value', 'responses', response([said(part(json, { parsed: { x: 'y' } }))])],
    ['a parsed value', 'messages', message([{ type: 'text', text: json, parsed_output: { x: 'y' } }])],
    ['a block of an unknown type', 'messages', message([text, { type: 'rich_text', text: evil }])],
    ['an unknown event', 'messages', stream({ type: 'rocket', note: evil })],
  ]

  test.each(repeated)('%s, %s', async (_name, api, reply) => {
    expect(verdictOf(await asked(api, 'strict', reply))).toMatchObject({ status: 'valid' })
  })
})

describe('what repeats a text that was changed is changed too', () => {
  const secret = 'Mail jane.doe@acme.org now.'
  const stated = (word: string) => word.replaceAll('Fine.', secret)
  const replaced = (reply: unknown): never => JSON.parse(stated(JSON.stringify(reply))) as never

  test.each<Way>([
    ['the joined text at the end', 'responses', [...events().slice(0, -1), completed({ output_text: 'Fine.' })]],
    ['the joined text of a response that is only an end', 'responses', [begun, completed({ output_text: 'Fine.' })]],
    ['the joined text of an end without output', 'responses', [...events().slice(0, -1), completed({ output_text: 'Fine.' }, [])]],
    [
      'output while in progress',
      'responses',
      events({ type: 'response.in_progress', response: response([said(part('Fine.'))], { output_text: 'Fine.' }) }),
    ],
    ['an item of an unknown event', 'responses', events({ type: 'response.rocket', output_index: 0, item: said(part('Fine.')) })],
    ['log probabilities', 'responses', response([said(part('Fine.', { logprobs: [token('Fine.')] }))])],
  ])('%s', async (_name, api, reply) => {
    const { body } = await asked(api, 'safe', replaced(reply))
    expect(body).not.toContain('jane')
    expect(body).toContain('[EMAIL]')
  })

  test('a parsed value', async () => {
    const content = JSON.stringify({ x: secret })
    const { body } = await asked('chat', 'safe', whole({ content, parsed: { x: secret } }))
    expect(body).toContain('[EMAIL]')
    expect(body).not.toContain('jane')
  })

  test('and the SDK shows nothing else', async () => {
    const reply: Json[] = replaced([...events().slice(0, -1), completed({ output_text: 'Fine.' })])
    gateway.upstream.enqueue(answeringEvents(reply, { done: false }))
    const final = await openai.responses.stream({ model: 'safe', input: 'Who?' }).finalResponse()
    expect(final.output_text).toBe('Mail [EMAIL] now.')
  })
})
