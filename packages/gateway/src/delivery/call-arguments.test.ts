import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { type ApiName, ask } from '../testing/wire.ts'
import { chat, chatChunk, type Json, message, messageEvents, response } from './relay/testing/reasoned-replies.ts'

const yaml = `
upstreams:
  - { name: messages, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
contracts:
  calls: { checks: [tool_calls], retries: 0 }
  words: { checks: [{ max_words: { limit: 100 } }], retries: 0 }
routes:
  - { model: messages-calls, upstream: messages, contract: calls }
  - { model: chat-calls, upstream: openai, contract: calls }
  - { model: chat-words, upstream: openai, contract: words }
  - { model: responses-calls, upstream: openai, contract: calls }
  - { model: plain, upstream: openai }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const tools: Readonly<Record<ApiName, Json>> = {
  chat: { tools: [{ type: 'function', function: { name: 'look', parameters } }] },
  responses: { tools: [{ type: 'function', name: 'look', parameters }] },
  messages: { max_tokens: 10, tools: [{ name: 'look', input_schema: parameters }] },
}

async function sent(api: ApiName, model: string, reply: Json | readonly Json[]): Promise<Json[]> {
  const isStream = Array.isArray(reply)
  gateway.upstream.enqueue(isStream ? answeringEvents(reply as Json[], { done: api === 'chat' }) : answeringBody(reply as Json))
  const { status, body } = await ask(gateway, api, { model, stream: isStream, fields: tools[api] })
  expect(status, body).toBe(200)
  if (!isStream) return [JSON.parse(body) as Json]
  return body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Json] : []))
}

type Call = { readonly index?: number; readonly function: { readonly arguments?: unknown } }
type Choice = { readonly message?: Said; readonly delta?: Said }
type Said = { readonly tool_calls?: readonly Call[]; readonly function_call?: Call['function'] }

/** The arguments of each call, joined as clients of chat completions do. */
function chatArguments(replies: readonly Json[]): readonly unknown[] {
  const joined: unknown[] = []
  for (const reply of replies)
    for (const { message: whole, delta = whole } of reply.choices as Choice[]) {
      const calls = delta?.function_call === undefined ? (delta?.tool_calls ?? []) : [{ function: delta.function_call }]
      for (const [at, call] of calls.entries()) {
        const { arguments: given } = call.function
        const index = call.index ?? at
        joined[index] = typeof given === 'object' ? given : `${joined[index] ?? ''}${given ?? ''}`
      }
    }
  return joined
}

const called = (given: unknown, id = 'c'): Json => ({
  id,
  type: 'function',
  function: { name: 'look', ...(given === undefined ? {} : { arguments: given }) },
})
const whole = (...calls: readonly Json[]): Json => chat.whole({ content: null, tool_calls: calls })

describe.each(['chat-calls', 'chat-words'])('arguments of calls for clients of chat completions, %s', (model) => {
  test.each<readonly [name: string, reply: Json | readonly Json[], delivered: readonly string[]]>([
    ['an object', whole(called({ city: 'Ulm', n: [1, { a: null }] })), ['{"city":"Ulm","n":[1,{"a":null}]}']],
    ['an object beside a text', whole(called('{"city": "Ulm"}'), called({ city: 'Bonn' }, 'd')), ['{"city": "Ulm"}', '{"city":"Bonn"}']],
    ['an empty object', whole(called({})), ['{}']],
    ['an empty text', whole(called('')), ['{}']],
    ['nothing', whole(called(undefined), called(null, 'd')), ['{}', '{}']],
    ['the deprecated form', chat.whole({ content: null, function_call: { name: 'look', arguments: { city: 'Ulm' } } }), ['{"city":"Ulm"}']],
    ['the deprecated form without any', chat.whole({ content: null, function_call: { name: 'look', arguments: '' } }), ['{}']],
    ['a text', whole(called('{ "city":"Ulm" }')), ['{ "city":"Ulm" }']],
    [
      'an empty text, streamed',
      [chatChunk({ role: 'assistant', tool_calls: [{ index: 0, ...called('') }] }), chatChunk({}, 'tool_calls')],
      ['{}'],
    ],
    [
      'empty texts in pieces, streamed',
      [
        chatChunk({ role: 'assistant', tool_calls: [{ index: 0, ...called('') }] }),
        chatChunk({ tool_calls: [{ index: 0, function: { arguments: '' } }] }),
        chatChunk({ tool_calls: [{ index: 1, ...called('', 'd') }] }),
        chatChunk({ tool_calls: [{ index: 1, function: { arguments: '{"city":' } }] }),
        chatChunk({ tool_calls: [{ index: 1, function: { arguments: '"Ulm"}' } }] }),
        chatChunk({}, 'tool_calls'),
      ],
      ['{}', '{"city":"Ulm"}'],
    ],
    ['nothing, streamed', [chatChunk({ tool_calls: [{ index: 0, ...called(undefined) }] }), chatChunk({}, 'tool_calls')], ['{}']],
  ])('%s', async (_name, reply, delivered) => {
    expect(chatArguments(await sent('chat', model, reply))).toEqual(delivered)
  })
})

test('without a contract, arguments are as they came', async () => {
  for (const given of [{ city: 'Ulm' }, '', '{ }'])
    expect(chatArguments(await sent('chat', 'plain', whole(called(given))))).toEqual([given])
})

describe('in other APIs', () => {
  const item = { type: 'function_call', id: 'f', call_id: 'c', name: 'look', arguments: '', status: 'completed' }

  test('empty arguments of a response are those that were checked', async () => {
    const [reply] = await sent('responses', 'responses-calls', { ...response, output: [item] })
    expect(reply?.output).toMatchObject([{ type: 'function_call', arguments: '{}' }])
  })

  test('and in its stream, with pieces or without', async () => {
    const place = { item_id: 'f', output_index: 0 }
    for (const deltas of [[], ['']]) {
      const events = [
        { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
        ...deltas.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
        { type: 'response.function_call_arguments.done', ...place, arguments: '' },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: { ...response, output: [item] } },
      ].map((event, index) => ({ ...event, sequence_number: index }))
      const streamed = await sent('responses', 'responses-calls', events)
      const said = streamed.flatMap((event) => {
        const { type, arguments: given, item: one, response: all } = event as { [key: string]: Json } & { type: string }
        if (type === 'response.output_item.added') return []
        const output = (all?.output ?? []) as Json[]
        return [given, one?.arguments, ...output.map((each) => each.arguments)].filter((text) => text !== undefined)
      })
      expect(said).toEqual(['{}', '{}', '{}'])
    }
  })

  test('an empty input of a message is as it came: its clients take it for an object', async () => {
    const block = { type: 'tool_use', id: 't', name: 'look', input: {} }
    const [reply] = await sent('messages', 'messages-calls', { ...message(''), content: [block], stop_reason: 'tool_use' })
    expect(reply?.content).toEqual([block])
    const events = [
      messageEvents[0] as Json,
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
    const streamed = await sent('messages', 'messages-calls', events)
    expect(streamed.filter(({ type }) => type === 'content_block_delta')).toEqual([events[2]])
  })
})
