import Anthropic from '@anthropic-ai/sdk'
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import { type ContractOptions, contract } from '@stickler/core'
import { enforcedFetch } from '@stickler/core/fetch'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { responseEvents, type WrittenItem } from '../../packages/core/src/apis/responses/testing/response-events.ts'
import { answeringEvents } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { behaviourOf } from './upstream.ts'

const parameters = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false }
const tools = ['pay', 'mail'].map((name) => ({ type: 'function' as const, name, parameters, strict: true }))
const guessing: ContractOptions<unknown> = { checks: ['tool_calls'], retries: 1, allow: ['lossless', 'lossy', 'guess'] }
const unchecked: ContractOptions<unknown> = { checks: [] }
const apiKey = 'sk-of-a-client-1234'
const isNewer = Number.parseInt(process.versions.node, 10) >= 22
const OpenAI7 = isNewer ? ((await import('openai-7')).default as unknown as typeof OpenAI) : OpenAI
type Json = Readonly<Record<string, unknown>>

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({
    yaml: `
upstreams:
  - { name: both, kind: openai, baseUrl: $UP/v1, apis: [chat, responses], retries: 0 }
contracts:
  guessing: ${JSON.stringify(guessing)}
  unchecked: ${JSON.stringify(unchecked)}
  cited: { checks: [{ citations: {} }], retries: 0 }
routes:
  - { model: cited, upstream: both, contract: cited }
  - { model: guessing, upstream: both, contract: guessing }
  - { model: unchecked, upstream: both, contract: unchecked }
`,
  })
})
afterAll(() => gateway.close())
beforeEach(() => gateway.upstream.otherwise(behaviourOf({ text: 'Done.' })))

const forced = { tool_choice: { type: 'function' as const, name: 'pay' } }
type Rules = 'guessing' | 'unchecked'
const pay = ['function_call', 'pay', '{"a":5}']
const answers: readonly [string, Rules, string, object, readonly (readonly string[])[]][] = [
  ['a call', 'guessing', '[pay(a=5)]', {}, [pay]],
  ['a call with text before it', 'guessing', 'First I pay.\n\n[pay(a=5)]', {}, [['message', 'First I pay.'], pay]],
  ['several calls', 'guessing', 'Well.\n\n[pay(a=5), mail(a=6)]', {}, [['message', 'Well.'], pay, ['function_call', 'mail', '{"a":6}']]],
  ['a value in place of a forced call', 'unchecked', '{"a": 5}', forced, [pay]],
]
const hosts = {
  fetch: (rules: Rules) => ({
    baseURL: `${gateway.upstream.url}/v1`,
    fetch: enforcedFetch(contract(rules === 'guessing' ? guessing : unchecked)),
  }),
  gateway: () => ({ baseURL: `${gateway.url}/v1` }),
}

interface Item {
  readonly type: string
  readonly name?: string
  readonly arguments?: string
  readonly call_id?: string
  readonly status?: string
  readonly content?: readonly { readonly text: string }[]
}
const told = ({ type, name, arguments: given, content }: Item) =>
  type === 'message' ? [type, content?.map(({ text }) => text.trim()).join('')] : [type, name, compact(given)]
const compact = (given = '') => JSON.stringify(JSON.parse(given))

describe.each(['fetch', 'gateway'] as const)('Responses, made calls through %s', (host) => {
  const answer = (text: string): void => gateway.upstream.enqueue(behaviourOf({ text }))

  test.each(answers)('%s, read by both SDKs', async (_name, rules, text, more, expected) => {
    for (const Client of [OpenAI, OpenAI7]) {
      const client = new Client({ apiKey, maxRetries: 0, ...hosts[host](rules) })
      answer(text)
      const final = await client.responses.stream({ model: rules, input: 'x', tools, ...more }).finalResponse()
      expect(final.output.map((item) => told(item as Item))).toEqual(expected)
      answer(text)
      const whole = await client.responses.create({ model: rules, input: 'x', tools, ...more })
      expect(whole.output.map((item) => told(item as Item))).toEqual(expected)
      const ids = ({ output }: { output: readonly unknown[] }) => output.map((item) => (item as Item).call_id)
      expect(ids(final)).toEqual(ids(whole))
    }
  })

  test.each(answers)('%s, event by event', async (_name, rules, text, more, expected) => {
    answer(text)
    const client = new OpenAI({ apiKey, maxRetries: 0, ...hosts[host](rules) })
    const events: Json[] = []
    for await (const event of await client.responses.create({ model: rules, input: 'x', tools, stream: true, ...more }))
      events.push(event as never)
    expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1)
    expect(events.filter(({ type }) => type === 'response.in_progress')).toHaveLength(1)
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()])
    const of = (wanted: string) => events.filter(({ type }) => type === wanted)
    const done = of('response.output_item.done')
    expect(of('response.output_item.added').map((event) => event.output_index)).toEqual([...expected.keys()])
    expect(done.map((event) => event.output_index)).toEqual([...expected.keys()])
    expect(done.map(({ item }) => told(item as Item))).toEqual(expected)
    const count = expected.filter(([type]) => type === 'function_call').length
    expect(of('response.function_call_arguments.done')).toHaveLength(count)
    expect(events.at(-1)).toHaveProperty(
      'response.output',
      done.map(({ item }) => item),
    )
    expect(events.at(-1)?.type).toBe('response.completed')
  })

  test.each([false, true])('an agent runs the tool, streamed: %s', async (stream) => {
    let count = 0
    const run = tool({ name: 'pay', description: 'Pays.', parameters: z.object({ a: z.int() }), execute: async ({ a }) => (count += a) })
    const openAIClient = new OpenAI({ apiKey, maxRetries: 0, ...hosts[host]('guessing') })
    const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses: true }), tracingDisabled: true })
    const helper = new Agent({ name: 'helper', model: 'guessing', tools: [run] })
    answer('First I pay.\n\n[pay(a=5)]')
    if (stream) {
      const result = await runner.run(helper, 'Pay.', { stream: true })
      await result.completed
      expect(result.finalOutput).toBe('Done.')
    } else expect((await runner.run(helper, 'Pay.')).finalOutput).toBe('Done.')
    expect(count).toBe(5)
  })
})

const events = (items: readonly WrittenItem[], change: (all: Json[]) => Json[]) =>
  answeringEvents(change(responseEvents(items).map((data) => JSON.parse(data))), { named: true, done: false })
const prose: WrittenItem = { text: ['First I pay.\n\n', '[pay(a=5)]'] }

test.each<[string, readonly WrittenItem[], (all: Json[]) => Json[], readonly string[]]>([
  [
    'an end without the output',
    [prose],
    (all) => all.map((one, at) => (at < all.length - 1 ? one : withOutput(one, []))),
    ['message', 'function_call'],
  ],
  [
    'an end whose output is missing',
    [prose],
    (all) => all.map((one, at) => (at < all.length - 1 ? one : withOutput(one))),
    ['message', 'function_call'],
  ],
  ['nothing but the end', [prose], (all) => all.filter((one) => 'response' in one), ['message', 'function_call']],
  ['nothing but the end, all of it a call', [{ text: ['[pay(a=5)]'] }], (all) => all.filter((one) => 'response' in one), ['function_call']],
  ['thoughts before it', [{ thought: 'Hm.' }, { text: ['[pay(a=5)]'] }], (all) => all, ['reasoning', 'function_call']],
  ['an item after it', [{ text: ['[pay(a=5)]'] }, { thought: 'Hm.' }], (all) => all, ['reasoning', 'function_call']],
  ['an empty message after it', [{ text: ['[pay(a=5)]'] }, { text: [] }], (all) => all, ['message', 'function_call']],
])('a made call after events with %s', async (_name, items, change, expected) => {
  gateway.upstream.enqueue(events(items, change))
  const client = new OpenAI7({ apiKey, maxRetries: 0, ...hosts.fetch('guessing') })
  const seen: Json[] = []
  const stream = client.responses.stream({ model: 'guessing', input: 'x', tools })
  stream.on('event', (event) => seen.push(event as never))
  const { output } = await stream.finalResponse()
  expect(output.map(({ type }) => type)).toEqual(expected)
  const indexes = seen.filter(({ type }) => type === 'response.output_item.added').map((event) => event.output_index)
  expect(indexes).toEqual([...indexes.keys()])
})

function withOutput(event: Json, output?: readonly unknown[]): Json {
  const { output: _output, ...response } = event.response as Json
  return { ...event, response: output === undefined ? response : { ...response, output } }
}

test('Messages: ids of made calls differ from answer to answer, and are the same streamed and whole', async () => {
  const client = new Anthropic({ baseURL: gateway.upstream.url, apiKey, maxRetries: 0, fetch: enforcedFetch(contract(guessing)) })
  const body = {
    model: 'claude',
    max_tokens: 99,
    messages: [{ role: 'user' as const, content: 'Pay.' }],
    tools: [{ name: 'pay', input_schema: parameters as never }],
  }
  const ids: Record<string, string[]> = {}
  for (const stream of [true, true, false]) {
    gateway.upstream.enqueue(behaviourOf({ text: '[pay(a=5)]' }))
    const message = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body)
    const call = message.content.find(({ type }) => type === 'tool_use') as { id: string }
    ids[message.id] = [...(ids[message.id] ?? []), call.id]
  }
  for (const [message, made] of Object.entries(ids)) for (const id of made) expect(id).toBe(`call_${message.replace('msg_', '')}_0_0`)
})

test('text that was shown before a retry is complete', async () => {
  for (const Client of [OpenAI, OpenAI7]) {
    const client = new Client({ apiKey, maxRetries: 0, ...hosts.fetch('guessing') })
    const call = (given: string) => ({ name: 'pay', arguments: given })
    gateway.upstream.enqueue(behaviourOf({ text: 'I pay now.', calls: [call('{}')] }), behaviourOf({ calls: [call('{"a":6}')] }))
    const { output } = await client.responses.stream({ model: 'guessing', input: 'x', tools }).finalResponse()
    expect(output).toMatchObject([
      { type: 'message', status: 'completed', content: [{ text: 'I pay now.' }] },
      { type: 'function_call', status: 'completed', arguments: '{"a":6}' },
    ])
  }
})

test('citations are annotations of the text that was streamed', async () => {
  const stickler = { sources: [{ title: 'T', url: 'https://example.com/1' }] }
  const citation = { type: 'url_citation', start_index: 5, end_index: 9, url: 'https://example.com/1', title: 'T' }
  for (const Client of [OpenAI, OpenAI7]) {
    gateway.upstream.enqueue(behaviourOf({ text: 'It is[^1].' }))
    const client = new Client({ apiKey, maxRetries: 0, ...hosts.gateway() })
    const events: Json[] = []
    const stream = client.responses.stream({ model: 'cited', input: 'Why?', stickler } as never)
    stream.on('event', (event) => events.push(event as never))
    expect((await stream.finalResponse()).output).toMatchObject([{ content: [{ text: 'It is[^1].', annotations: [citation] }] }])
    const added = events.filter(({ type }) => type === 'response.output_text.annotation.added')
    expect(added).toMatchObject([{ item_id: 'msg_0', output_index: 0, content_index: 0, annotation_index: 0, annotation: citation }])
  }
})
