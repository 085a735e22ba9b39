import type OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeringEvents } from '../../testing/programmable-upstream-answers.ts'
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
