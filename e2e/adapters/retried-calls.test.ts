import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { enforced } from '@stickler/ai-sdk'
import { contract, enforce, fromFunction, type Runner } from '@stickler/core'
import { enforcedFetch } from '@stickler/core/fetch'
import { enforceRunnable } from '@stickler/langchain'
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { apis } from '../../packages/gateway/src/testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { question, weatherSchema } from './cases.ts'
import { behaviourOf } from './upstream.ts'

type Json = Readonly<Record<string, unknown>>
type Api = keyof typeof apis

const wrong = { name: 'get_weather', arguments: '{"town":"Rome"}' }
const fine = { name: 'get_weather', arguments: '{"city":"Ulm"}' }
const written = { checks: ['tool_calls'], retries: 1, repair: 'never' } as const
const rules = contract(written)
const apiKey = 'sk-of-a-client-1234'
const offered = { type: 'function', function: { name: 'get_weather', description: 'The weather.', parameters: weatherSchema } } as const

let upstream: ProgrammableUpstream
let gateway: TestGateway
let before = 0
beforeAll(async () => {
  upstream = await startProgrammableUpstream(failing(500))
  gateway = await startTestGateway({
    yaml: `
upstreams:
  - { name: both, kind: openai, baseUrl: $UP/v1, apis: [chat, responses], retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, retries: 0 }
contracts:
  calling: ${JSON.stringify(written)}
routes:
  - { model: both, upstream: both, contract: calling }
  - { model: claude, upstream: claude, contract: calling }
`,
  })
})
afterAll(async () => {
  await upstream.close()
  await gateway.close()
})
beforeEach(() => {
  before = upstream.requests.length
  upstream.otherwise((exchange) => behaviourOf({ calls: upstream.requests.length === before + 1 ? [wrong, fine] : [fine] })(exchange))
})

/** The turns that a retry adds, from the first that the model said. */
function added(requests: ProgrammableUpstream['requests'], from: number): readonly Json[] {
  const sent = requests.slice(from).map(({ json }) => (json?.messages ?? json?.input) as Json[])
  expect(sent).toHaveLength(2)
  return sent[1]?.slice(sent[1].findIndex(({ role, type }) => role === 'assistant' || type === 'function_call')) ?? []
}

const wrongText = expect.stringMatching(/^Not executed: this call is wrong[\s\S]*MISSING_ARGUMENT/)
const otherText = expect.stringMatching(/^Not executed: another call/)
const expected = {
  chat: [
    { role: 'assistant', tool_calls: [{ id: 'call_0', function: { name: 'get_weather' } }, { id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_0', content: wrongText },
    { role: 'tool', tool_call_id: 'call_1', content: otherText },
  ],
  messages: [
    {
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'call_0', name: 'get_weather', input: { town: 'Rome' } },
        { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Ulm' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_0', is_error: true, content: wrongText },
        { type: 'tool_result', tool_use_id: 'call_1', is_error: true, content: otherText },
      ],
    },
  ],
  responses: [
    { type: 'function_call', name: 'get_weather', arguments: '{"town":"Rome"}' },
    { type: 'function_call', name: 'get_weather', arguments: '{"city":"Ulm"}' },
    { type: 'function_call_output', output: wrongText },
    { type: 'function_call_output', output: otherText },
  ],
}

describe.each([false, true])('streamed: %s', (stream) => {
  test.each<[Api, string, Api]>([
    ['chat', 'both', 'chat'],
    ['responses', 'both', 'responses'],
    ['messages', 'both', 'chat'],
    ['chat', 'claude', 'messages'],
    ['responses', 'claude', 'messages'],
    ['messages', 'claude', 'messages'],
  ])('through the gateway: %s to %s, which is asked in %s', async (api, model, asked) => {
    const from = gateway.upstream.requests.length
    gateway.upstream.enqueue(behaviourOf({ calls: [wrong, fine] }), behaviourOf({ calls: [fine] }))
    const reply = await apis[api](gateway, { model, stream, tools: [offered] })
    expect(reply).toMatchObject({ status: 200, calls: [['get_weather', { city: 'Ulm' }]] })
    expect(added(gateway.upstream.requests, from)).toMatchObject(expected[asked])
  })

  test.each<[Api, string, Json]>([
    ['chat', '/v1/chat/completions', { messages: [{ role: 'user', content: question }], tools: [offered] }],
    ['responses', '/v1/responses', { input: question, tools: [{ type: 'function', ...offered.function }] }],
    [
      'messages',
      '/v1/messages',
      { messages: [{ role: 'user', content: question }], max_tokens: 99, tools: [{ name: 'get_weather', input_schema: weatherSchema }] },
    ],
  ])('through fetch: %s', async (api, path, body) => {
    const response = await enforcedFetch(rules)(`${upstream.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream, ...body }),
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('get_weather')
    expect(added(upstream.requests, before)).toMatchObject(expected[api])
  })

  const models: readonly [string, Api, () => LanguageModel][] = [
    ['openai.chat', 'chat', () => createOpenAI({ apiKey, baseURL: `${upstream.url}/v1` }).chat('m')],
    ['openai.responses', 'responses', () => createOpenAI({ apiKey, baseURL: `${upstream.url}/v1` }).responses('m')],
    ['anthropic', 'messages', () => createAnthropic({ apiKey, baseURL: `${upstream.url}/v1` })('m')],
  ]
  const tools = { get_weather: tool({ inputSchema: jsonSchema<Json>(weatherSchema as object), outputSchema: jsonSchema({}) }) }
  test.each(models)('through the AI SDK: %s', async (_name, api, make) => {
    const asked = { model: enforced(make() as never, rules) as LanguageModel, prompt: question, tools, maxRetries: 0 }
    const calls = stream ? await streamText(asked).toolCalls : (await generateText(asked)).toolCalls
    expect(calls).toMatchObject([{ input: { city: 'Ulm' } }])
    expect(added(upstream.requests, before)).toMatchObject(expected[api])
  })

  test.each([
    ['ChatOpenAI', 'chat', () => new ChatOpenAI({ model: 'm', apiKey, maxRetries: 0, configuration: { baseURL: `${upstream.url}/v1` } })],
    ['ChatAnthropic', 'messages', () => new ChatAnthropic({ model: 'm', apiKey, maxRetries: 0, anthropicApiUrl: upstream.url })],
  ] as const)('through LangChain: %s', async (_name, api, make) => {
    const model = enforceRunnable(make(), rules).bindTools([offered])
    if (stream) for await (const piece of await model.stream(question)) expect(piece.tool_calls).toMatchObject([{ args: { city: 'Ulm' } }])
    else expect((await model.invoke(question)).tool_calls).toMatchObject([{ args: { city: 'Ulm' } }])
    const turns = added(upstream.requests, before)
    // LangChain does not tell Anthropic that a result is an error.
    if (api === 'messages')
      expect(turns).toMatchObject([expected.messages[0], { role: 'user', content: [{ content: wrongText }, { content: otherText }] }])
    else expect(turns).toMatchObject(expected.chat)
  })

  const functions: readonly [string, Api, () => Runner][] = [
    [
      'chat completions',
      'chat',
      () => {
        const client = new OpenAI({ apiKey, baseURL: `${upstream.url}/v1`, maxRetries: 0 })
        return fromFunction((messages) => client.chat.completions.create({ model: 'm', messages, tools: [offered], stream }))
      },
    ],
    [
      'responses',
      'responses',
      () => {
        const client = new OpenAI({ apiKey, baseURL: `${upstream.url}/v1`, maxRetries: 0 })
        const given = [{ type: 'function', strict: false, ...offered.function }] as const
        return fromFunction((input) => client.responses.create({ model: 'm', input, tools: [...given], stream }))
      },
    ],
    [
      'Anthropic',
      'messages',
      () => {
        const client = new Anthropic({ apiKey, baseURL: upstream.url, maxRetries: 0 })
        const given = [{ name: 'get_weather', input_schema: weatherSchema as never }]
        return fromFunction((messages) => client.messages.create({ model: 'm', max_tokens: 99, messages, tools: given, stream }))
      },
    ],
    [
      'the AI SDK',
      'chat',
      () => {
        const model = createOpenAI({ apiKey, baseURL: `${upstream.url}/v1` }).chat('m')
        return fromFunction(async (messages) => await generateText({ model, messages, tools, maxRetries: 0 }))
      },
    ],
  ]
  test.each(functions)('through a function that calls %s', async (_name, api, make) => {
    const outcome = await enforce({ contract: rules, runner: make(), prompt: question, context: { tools: [offered] } })
    expect(outcome.failure).toBeUndefined()
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2 })
    expect(added(upstream.requests, before)).toMatchObject(expected[api])
  })
})
