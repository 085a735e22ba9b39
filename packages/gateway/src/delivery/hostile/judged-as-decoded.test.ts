import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, dataOf, type WireReply } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  short: { checks: [{ max_words: { limit: 5 } }], stream: hold, retries: 0, repair: never }
  called: { checks: [tool_calls], retries: 0 }
routes:
  - { model: short, upstream: openai, contract: short }
  - { model: called, upstream: openai, contract: called }
  - { model: claude-short, upstream: anthropic, contract: short }
  - { model: claude-called, upstream: anthropic, contract: called }
  - { model: plain, upstream: openai }
  - { model: claude-plain, upstream: anthropic }
`

type Json = Record<string, unknown>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const parameters = (type: string): Json => ({ type: 'object', properties: { x: { type } }, required: ['x'], additionalProperties: false })
const offered: Readonly<Record<ApiName, readonly Json[]>> = {
  chat: ['f', 'g'].map((name, at) => ({ type: 'function', function: { name, parameters: parameters(at === 0 ? 'number' : 'string') } })),
  responses: ['f', 'g'].map((name, at) => ({ type: 'function', name, parameters: parameters(at === 0 ? 'number' : 'string') })),
  messages: ['f', 'g'].map((name, at) => ({ name, input_schema: parameters(at === 0 ? 'number' : 'string') })),
}

function streamed(api: ApiName, model: string, events: readonly (Json | string)[]): Promise<WireReply> {
  gateway.upstream.enqueue(answeringEvents(events))
  return ask(gateway, api, { model, stream: true, fields: model.endsWith('called') ? { tools: offered[api] } : {} })
}

const chunk = (delta: Json, beside: Json = {}): Json => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...beside }],
})
const called = (index: number, name: string, given: string): Json =>
  chunk({ tool_calls: [{ index, id: `c${name}`, type: 'function', function: { name, arguments: given } }] })

describe('a repair changes the call that it is about', () => {
  const broken = '{"x":"1",}'

  it('N95 in chat completions, when calls come in another order than they have', async () => {
    const events = [called(1, 'g', broken), called(0, 'f', broken), chunk({}, { finish_reason: 'tool_calls' })]
    const reply = await streamed('chat', 'called', events)
    const given: Record<string, string> = {}
    for (const { choices } of dataOf(reply) as unknown as OpenAI.ChatCompletionChunk[]) {
      for (const { id, function: call } of choices[0]?.delta.tool_calls ?? []) given[String(id)] = call?.arguments ?? ''
    }
    expect(given).toEqual({ cf: '{"x":1}', cg: '{"x":"1"}' })
  })

  it('in responses', async () => {
    const item = (index: number, name: string, given: string): Json => ({
      ...{ id: `fc_${index}`, type: 'function_call', call_id: `c${index}`, name, arguments: given, status: 'completed' },
    })
    const calls = [item(0, 'f', broken), item(1, 'g', broken)]
    const said = (type: string, index: number, more: Json): Json => ({ type, output_index: index, item_id: `fc_${index}`, ...more })
    const response = { id: 'r', object: 'response', model: 'm', status: 'completed' }
    const reply = await streamed('responses', 'called', [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      said('response.output_item.added', 1, { item: item(1, 'g', '') }),
      said('response.output_item.added', 0, { item: item(0, 'f', '') }),
      said('response.function_call_arguments.done', 1, { arguments: broken }),
      said('response.function_call_arguments.done', 0, { arguments: broken }),
      said('response.output_item.done', 1, { item: calls[1] }),
      said('response.output_item.done', 0, { item: calls[0] }),
      { type: 'response.completed', response: { ...response, output: calls } },
    ])
    const events = dataOf(reply) as unknown as OpenAI.Responses.ResponseStreamEvent[]
    const found = events.flatMap((event) => (event.type === 'response.function_call_arguments.done' ? [event.arguments] : []))
    expect(found).toEqual(['{"x":"1"}', '{"x":1}'])
    const last = events.at(-1)
    const output = last?.type === 'response.completed' ? last.response.output : []
    expect(output.map((one) => one.type === 'function_call' && one.arguments)).toEqual(['{"x":1}', '{"x":"1"}'])
  })

  it('in chat completions, when a call without a number follows one that has the number it would get', async () => {
    const events = [
      called(1, 'g', '{"x":"1"}'),
      chunk({ tool_calls: [{ id: 'cf', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }] }),
      chunk({}, { finish_reason: 'tool_calls' }),
    ]
    const reply = await streamed('chat', 'called', events)
    const chunks = dataOf(reply) as unknown as OpenAI.ChatCompletionChunk[]
    expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls?.map(({ index }) => index) ?? [])).toEqual([1, 2])
  })
})

const long = 'one two three four five six seven'
const message = (content: Json[] = []): Json => ({
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
})
const begin = (index: unknown, content_block: Json): Json => ({ type: 'content_block_start', index, content_block })
const add = (index: unknown, delta: Json): Json => ({ type: 'content_block_delta', index, delta })
const say = (index: unknown, text: string): Json => add(index, { type: 'text_delta', text })
const give = (index: unknown, partial_json: string): Json => add(index, { type: 'input_json_delta', partial_json })
const close = (index: unknown): Json => ({ type: 'content_block_stop', index })
const over: readonly Json[] = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
const text = { type: 'text', text: '' }
const use = { type: 'tool_use', id: 't', name: 'f', input: { x: 1 } }
const evil = '{"x":"evil"}'
const good = chunk({ content: 'good' })
const stop = chunk({}, { finish_reason: 'stop' })
const response = (output: readonly Json[], more: Json = {}): Json => ({
  id: 'r',
  object: 'response',
  status: 'completed',
  model: 'm',
  output,
  ...more,
})
const output = (...content: Json[]): Json => ({ id: 'm', type: 'message', role: 'assistant', status: 'completed', content })
const spoken = (words: string): Json => ({ type: 'output_text', text: words, annotations: [] })
const speak = (output_index: unknown, delta: string): Json => ({
  type: 'response.output_text.delta',
  output_index,
  content_index: 0,
  delta,
})
const ended = (...words: string[]): Json => ({ type: 'response.completed', response: response(words.map((one) => output(spoken(one)))) })

const streams: readonly [string, ApiName, string, readonly Json[]][] = [
  ['input after the end of its block', 'messages', 'called', [message(), begin(0, use), close(0), give(0, evil), ...over]],
  ['input for a block whose number is text', 'messages', 'called', [message(), begin(0, use), give('0', evil), close(0), ...over]],
  [
    'input for a block that begins twice',
    'messages',
    'called',
    [message(), begin(0, use), begin(0, text), give(0, evil), close(0), ...over],
  ],
  ['input counted from the end', 'messages', 'called', [message(), begin(0, use), give(-1, evil), close(0), ...over]],
  [
    'text in a block of thoughts',
    'messages',
    'short',
    [message(), begin(0, { type: 'thinking', thinking: '' }), say(0, 'a'), close(0), ...over],
  ],
  ['text before its block', 'messages', 'short', [message(), say(0, 'a'), begin(0, text), close(0), ...over]],
  ['blocks in turn', 'messages', 'short', [message(), begin(0, text), say(0, 'a'), begin(1, text), say(1, 'b'), say(0, 'c'), ...over]],
  ['a block without a type', 'messages', 'short', [message(), begin(0, { text: long }), close(0), ...over]],
  ['content that is an object', 'chat', 'short', [good, chunk({ content: { text: long } }), stop]],
  ['parts within parts', 'chat', 'short', [good, chunk({ content: [[{ type: 'text', text: long }]] }), stop]],
  ['a text that is an object', 'chat', 'short', [good, chunk({ content: [{ type: 'text', text: { value: long } }] }), stop]],
  ['another text beside the delta', 'chat', 'short', [good, chunk({ content: '' }, { text: long }), stop]],
  ['choices by name', 'chat', 'short', [good, { id: 'c', choices: { 0: { index: 0, delta: { content: long } } } }, stop]],
  [
    'a call of two types',
    'chat',
    'called',
    [
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' }, custom: { name: 'rm', input: 'x' } }] }),
      stop,
    ],
  ],
  ['items in turn', 'responses', 'short', [speak(0, 'a'), speak(1, 'b'), speak(0, 'c'), ended('ac', 'b')]],
  ['an item whose number is text', 'responses', 'short', [speak(0, 'a'), speak('1', 'b'), ended('ab')]],
  [
    'a part of a type that only looks like text',
    'responses',
    'short',
    [
      { type: 'response.content_part.added', output_index: 0, content_index: 0, part: { type: 'text', text: long } },
      speak(0, 'a'),
      ended('a'),
    ],
  ],
]

describe('what a client could read in another way than it is judged is a failure of the provider', () => {
  it.each(streams)('N96 %s', async (_name, api, contract, events) => {
    const reply = await streamed(api, api === 'messages' ? `claude-${contract}` : contract, events)
    expect(reply.body).toContain('"error"')
    expect(reply.body).not.toMatch(/seven|evil|"rm"/)
  })

  it.each(streams)('is passed on without a contract: %s', async (_name, api, _contract, events) => {
    const reply = await streamed(api, api === 'messages' ? 'claude-plain' : 'plain', events)
    expect(reply.body).not.toContain('"error"')
  })

  const whole: readonly [string, ApiName, string, Json][] = [
    ['another text beside the output', 'responses', 'short', response([output(spoken('good'))], { output_text: long })],
    ['a part of a type that only looks like text', 'responses', 'short', response([output(spoken('good'), { type: 'text', text: long })])],
    [
      'a delta beside the message',
      'chat',
      'short',
      { choices: [{ index: 0, message: { content: 'good' }, delta: { content: long }, finish_reason: 'stop' }] },
    ],
    [
      'a text beside the message',
      'chat',
      'short',
      { choices: [{ index: 0, message: { content: 'good' }, text: long, finish_reason: 'stop' }] },
    ],
    [
      'a block without a type',
      'messages',
      'claude-short',
      { type: 'message', role: 'assistant', content: [{ text: long }], stop_reason: 'end_turn' },
    ],
  ]

  it.each(whole)('in one piece: %s', async (_name, api, model, body) => {
    gateway.upstream.enqueue(answeringBody(body))
    const reply = await ask(gateway, api, { model })
    expect([reply.status, reply.body.includes('seven')]).toEqual([502, false])
  })
})

describe('what no judge reads is left out', () => {
  it('N97 a choice whose number is no whole one, and a message beside a delta', async () => {
    const reply = await streamed('chat', 'short', [
      good,
      chunk({ content: long }, { index: 0.5 }),
      chunk({ content: '' }, { message: { content: long } }),
      stop,
    ])
    expect(reply.body).toContain('"valid"')
    expect(reply.body).not.toContain('seven')
  })

  it('N98 a call in function_call is judged beside those in tool_calls', async () => {
    const call = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }
    const both = { tool_calls: [call], function_call: { name: 'rm', arguments: '{}' } }
    const events = [chunk(both), chunk({}, { finish_reason: 'tool_calls' })]
    expect((await streamed('chat', 'called', events)).body).toContain('"contract_violation"')
    gateway.upstream.enqueue(answeringBody({ choices: [{ index: 0, message: { content: null, ...both }, finish_reason: 'stop' }] }))
    const reply = await ask(gateway, 'chat', { model: 'called', fields: { tools: offered.chat } })
    expect(reply.status).toBe(422)
  })
})
