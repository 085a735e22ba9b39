import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, OpenAIProvider, Runner, setTracingDisabled } from '@openai/agents'
import { enforced, middleware } from '@stickler/ai-sdk'
import { contract } from '@stickler/core'
import { anthropicMiddleware, enforcedFetch } from '@stickler/core/fetch'
import { enforceRunnable, sticklerMiddleware } from '@stickler/langchain'
import { generateObject, generateText, type LanguageModel, Output, streamText, tool, wrapLanguageModel } from 'ai'
import { createAgent, providerStrategy, toolStrategy } from 'langchain'
import OpenAI from 'openai'
import { zodFunction, zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type ModelAnswer, question } from './cases.ts'
import { apiKey } from './clients.ts'
import { behaviourOf } from './upstream.ts'

const Trip = z.object({ city: z.string(), days: z.int() })
const jsonTrip = z.toJSONSchema(Trip)
/** Without what else Zod attaches to it. */
const plainTrip: unknown = JSON.parse(JSON.stringify(jsonTrip))
const trip = { city: 'Ulm', days: 2 }
const rules = contract({ checks: [] })
const messages = [{ role: 'user' as const, content: 'Plan a trip.' }]

const isNewer = Number.parseInt(process.versions.node, 10) >= 22
const OpenAI7 = isNewer ? ((await import('openai-7')).default as unknown as typeof OpenAI) : undefined

/** Where a client sends its requests. */
interface Way {
  readonly url: string
  readonly fetch?: typeof globalThis.fetch
  readonly middleware?: NonNullable<ConstructorParameters<typeof Anthropic>[0]>['middleware']
}
/** Asks for a trip by a schema, and gives what the client has parsed. */
type Ask = (way: Way, stream: boolean) => Promise<unknown>

const openai = ({ url, fetch }: Way, Client = OpenAI): OpenAI =>
  new Client({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, ...(fetch && { fetch }) })
const anthropic = ({ url, fetch, middleware }: Way): Anthropic =>
  new Anthropic({ baseURL: url, apiKey, maxRetries: 0, ...(fetch && { fetch }), ...(middleware && { middleware }) })
const chatOpenAi = ({ url, fetch }: Way) =>
  new ChatOpenAI({ model: 'gpt-4o', apiKey, maxRetries: 0, configuration: { baseURL: `${url}/v1`, ...(fetch && { fetch }) } })
const responsesOpenAi = ({ url, fetch }: Way) => {
  const configuration = { baseURL: `${url}/v1`, ...(fetch && { fetch }) }
  return new ChatOpenAI({ model: 'gpt-4o', apiKey, maxRetries: 0, useResponsesApi: true, configuration })
}
const chatAnthropic = ({ url, fetch }: Way) =>
  new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey, maxRetries: 0, anthropicApiUrl: url, ...(fetch && { clientOptions: { fetch } }) })
const provider = ({ url, fetch }: Way) => ({ baseURL: `${url}/v1`, apiKey, ...(fetch && { fetch }) })

const parse =
  (Major?: typeof OpenAI): Ask =>
  async (way, stream) => {
    const body = { model: 'gpt-4o', messages, response_format: zodResponseFormat(Trip, 'trip') }
    const { completions } = openai(way, Major).chat
    const got = stream ? await completions.stream(body).finalChatCompletion() : await completions.parse(body)
    return got.choices[0]?.message.parsed
  }
const parseResponse =
  (Major?: typeof OpenAI): Ask =>
  async (way, stream) => {
    const body = { model: 'gpt-4o', input: question, text: { format: zodTextFormat(Trip, 'trip') } }
    const { responses } = openai(way, Major)
    return (stream ? await responses.stream(body).finalResponse() : await responses.parse(body)).output_parsed
  }
const agent =
  (useResponses: boolean): Ask =>
  async (way, stream) => {
    const modelProvider = new OpenAIProvider({ openAIClient: openai(way), useResponses })
    const runner = new Runner({ modelProvider, tracingDisabled: true })
    const helper = new Agent({ name: 'helper', model: 'gpt-4o', outputType: Trip })
    if (!stream) return (await runner.run(helper, question)).finalOutput
    const result = await runner.run(helper, question, { stream: true })
    await result.completed
    return result.finalOutput
  }
const structured =
  (modelOf: (way: Way) => unknown, method: string, schema: unknown = Trip): Ask =>
  async (way, stream) => {
    const chain = (modelOf(way) as ChatOpenAI).withStructuredOutput(schema as typeof Trip, { method } as never)
    // LangChain itself streams no calls of tools whose content is blocks.
    if (!stream || method === 'functionCalling') return await chain.invoke(question)
    let last: unknown
    for await (const value of await chain.stream(question)) last = value
    return last
  }
const strategy =
  (modelOf: (way: Way) => unknown, responseFormat: unknown, middleware: readonly unknown[] = []): Ask =>
  async (way) => {
    const agent = createAgent({ model: modelOf(way), responseFormat, middleware } as never)
    return ((await agent.invoke({ messages } as never)) as { structuredResponse: unknown }).structuredResponse
  }
const aiSdk =
  (modelOf: (way: Way) => LanguageModel): Ask =>
  async (way, stream) => {
    const asked = { model: modelOf(way), prompt: question, output: Output.object({ schema: Trip }), maxRetries: 0 }
    if (!stream) return (await generateText(asked)).output
    return await streamText({ ...asked, onError: () => {} }).output
  }

const chat: Readonly<Record<string, Ask>> = {
  'openai, chat.completions.parse': parse(),
  'openai, responses.parse': parseResponse(),
  ...(OpenAI7 && { 'openai 7, chat.completions.parse': parse(OpenAI7), 'openai 7, responses.parse': parseResponse(OpenAI7) }),
  'openai, a forced tool': async (way, stream) => {
    const body = { model: 'gpt-4o', messages, tools: [zodFunction({ name: 'plan', parameters: Trip })], tool_choice: 'required' as const }
    const { completions } = openai(way).chat
    const got = stream ? await completions.stream(body).finalChatCompletion() : await completions.parse(body)
    return got.choices[0]?.message.tool_calls?.[0]?.function.parsed_arguments
  },
  'OpenAI Agents, outputType, chat completions': agent(false),
  'OpenAI Agents, outputType, responses': agent(true),
  'LangChain, ChatOpenAI, jsonSchema': structured(chatOpenAi, 'jsonSchema'),
  'LangChain, ChatOpenAI, functionCalling': structured(chatOpenAi, 'functionCalling'),
  'LangChain, ChatOpenAI, providerStrategy': strategy(chatOpenAi, providerStrategy(Trip)),
  'LangChain, ChatOpenAI, toolStrategy': strategy(chatOpenAi, toolStrategy(Trip)),
  'AI SDK, chat completions': aiSdk((way) => createOpenAI(provider(way)).chat('gpt-4o')),
  'AI SDK, responses': aiSdk((way) => createOpenAI(provider(way)).responses('gpt-4o')),
  'AI SDK, generateObject': async (way) =>
    (await generateObject({ model: createOpenAI(provider(way)).chat('gpt-4o'), schema: Trip, prompt: question, maxRetries: 0 })).object,
}
const claude: Readonly<Record<string, Ask>> = {
  '@anthropic-ai/sdk, messages.parse': async (way, stream) => {
    const body = { model: 'claude-sonnet-4-5', max_tokens: 100, messages, output_config: { format: zodOutputFormat(Trip) } }
    const { messages: api } = anthropic(way)
    return (stream ? await api.stream(body).finalMessage() : await api.parse(body)).parsed_output
  },
  '@anthropic-ai/sdk, a forced tool': async (way, stream) => {
    const tools = [{ name: 'plan', input_schema: { ...z.toJSONSchema(Trip), type: 'object' as const } }]
    const body = { model: 'claude-sonnet-4-5', max_tokens: 100, messages, tools, tool_choice: { type: 'tool' as const, name: 'plan' } }
    const { messages: api } = anthropic(way)
    const { content } = stream ? await api.stream(body).finalMessage() : await api.create(body)
    return content.find((block) => block.type === 'tool_use')?.input
  },
  'LangChain, ChatAnthropic, jsonSchema': structured(chatAnthropic, 'jsonSchema'),
  'LangChain, ChatAnthropic, functionCalling': structured(chatAnthropic, 'functionCalling'),
  'LangChain, ChatAnthropic, toolStrategy': strategy(chatAnthropic, toolStrategy(Trip)),
  'AI SDK, by the format of the API': aiSdk((way) => createAnthropic(provider(way))('claude-opus-4-5')),
  'AI SDK, by a tool': aiSdk((way) => createAnthropic(provider(way))('claude-3-haiku')),
}

/** The same through the adapters of the frameworks. */
const adapters: Readonly<Record<string, Ask>> = {
  'AI SDK, chat completions': aiSdk((way) => enforced(createOpenAI(provider(way)).chat('gpt-4o'), rules)),
  'AI SDK, responses': aiSdk((way) => enforced(createOpenAI(provider(way)).responses('gpt-4o'), rules)),
  'AI SDK, anthropic': aiSdk((way) => enforced(createAnthropic(provider(way))('claude-opus-4-5'), rules)),
  'AI SDK, a middleware': aiSdk((way) =>
    wrapLanguageModel({ model: createOpenAI(provider(way)).chat('gpt-4o'), middleware: middleware(rules) }),
  ),
  'AI SDK, a forced tool': async (way) => {
    const model = enforced(createOpenAI(provider(way)).chat('gpt-4o'), rules)
    const { toolCalls } = await generateText({
      ...{ model, prompt: question, maxRetries: 0, toolChoice: 'required' as const },
      tools: { plan: tool({ inputSchema: Trip }) },
    })
    return toolCalls[0]?.input
  },
  'LangChain, ChatOpenAI, jsonSchema': structured((way) => enforceRunnable(chatOpenAi(way), rules), 'jsonSchema'),
  'LangChain, ChatOpenAI, jsonMode': structured((way) => enforceRunnable(chatOpenAi(way), rules), 'jsonMode'),
  'LangChain, ChatOpenAI, functionCalling': structured((way) => enforceRunnable(chatOpenAi(way), rules), 'functionCalling'),
  'LangChain, responses, jsonSchema': structured((way) => enforceRunnable(responsesOpenAi(way), rules), 'jsonSchema'),
  'LangChain, responses, jsonSchema, plain': structured((way) => enforceRunnable(responsesOpenAi(way), rules), 'jsonSchema', plainTrip),
  'LangChain, responses, jsonSchema of Zod': structured((way) => enforceRunnable(responsesOpenAi(way), rules), 'jsonSchema', jsonTrip),
  'LangChain, responses, jsonMode': structured((way) => enforceRunnable(responsesOpenAi(way), rules), 'jsonMode'),
  'LangChain, responses, functionCalling': structured((way) => enforceRunnable(responsesOpenAi(way), rules), 'functionCalling'),
  'LangChain, responses, raw beside': async (way) => {
    const chain = enforceRunnable(responsesOpenAi(way), rules).withStructuredOutput(Trip, { includeRaw: true })
    return (await chain.invoke(question)).parsed
  },
  'LangChain, responses, providerStrategy': strategy(responsesOpenAi, providerStrategy(Trip), [sticklerMiddleware(rules)]),
  'LangChain, ChatAnthropic, jsonSchema': structured((way) => enforceRunnable(chatAnthropic(way), rules), 'jsonSchema'),
  'LangChain, ChatAnthropic, functionCalling': structured((way) => enforceRunnable(chatAnthropic(way), rules), 'functionCalling'),
  'LangChain, providerStrategy': strategy(chatOpenAi, providerStrategy(Trip), [sticklerMiddleware(rules)]),
}

/** Answers with the value as it was asked for: as a call of the tool that is offered, or as text. */
const giving =
  (value: string): Behaviour =>
  (exchange) => {
    const { tools = [] } = (exchange.request.json ?? {}) as { tools?: readonly { name?: string; function?: { name: string } }[] }
    const name = tools[0]?.name ?? tools[0]?.function?.name
    const answer: ModelAnswer = name === undefined ? { text: value } : { calls: [{ name, arguments: value }] }
    return behaviourOf(answer)(exchange)
  }

const proseAround = 'prose and a fence around the value'
/** First answers, and how often the model is asked until the caller has its value. */
const firsts: readonly (readonly [string, Behaviour, number])[] = [
  ['prose and a fence around a wrong type', behaviourOf({ text: 'Here you are:\n\n```json\n{"city": "Ulm", "days": "a few"}\n```' }), 2],
  ['prose alone', behaviourOf({ text: 'I would stay in Ulm for two days.' }), 2],
  ['a wrong type where the value is asked for', giving('{"city": "Ulm", "days": "a few"}'), 2],
  ['a number as text, which a repair corrects', giving('{"city": "Ulm", "days": "2"}'), 1],
  ['a fence around the value', behaviourOf({ text: '```json\n{"city": "Ulm", "days": 2}\n```' }), 1],
  [proseAround, behaviourOf({ text: 'Here you are:\n\n```json\n{"city": "Ulm", "days": 2}\n```' }), 1],
]
/** The clients that force a tool. */
const asksForCall = (client: string): boolean => /forced tool|functionCalling|toolStrategy|by a tool/.test(client)
/** What the provider answers in a test, call by call: what one leaves over is no other's. */
let script: Behaviour[] = []
const play: Behaviour = (exchange) => (script.shift() ?? failing(500))(exchange)
const right = giving(JSON.stringify(trip))

const yaml = `
server: { port: 0 }
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apis: [chat, responses], retries: 0 }
  - { name: anthropic, kind: anthropic, baseUrl: $UP, retries: 0 }
contracts:
  any: { checks: [] }
routes:
  - { model: gpt-*, upstream: openai, contract: any }
  - { model: claude-*, upstream: anthropic, contract: any }
`
let gateway: TestGateway
beforeAll(async () => {
  setTracingDisabled(true)
  gateway = await startTestGateway({ yaml })
  gateway.upstream.enqueue(...Array.from({ length: 3000 }, () => play))
})
afterAll(() => gateway.close())

const ways: readonly (readonly [string, Readonly<Record<string, Ask>>, () => Way])[] = [
  ['fetch', { ...chat, ...claude }, () => ({ url: gateway.upstream.url, fetch: enforcedFetch(rules) })],
  [
    'middleware',
    Object.fromEntries(Object.entries(claude).filter(([name]) => name.startsWith('@anthropic'))),
    () => ({ url: gateway.upstream.url, middleware: [anthropicMiddleware(rules)] }),
  ],
  ['gateway', { ...chat, ...claude }, () => ({ url: gateway.url })],
  ['adapters', adapters, () => ({ url: gateway.upstream.url })],
]

describe.each(ways)('the schema that a client asks for is kept, through %s', (_, clients, way) => {
  describe.each(Object.entries(clients))('%s', (client, ask) => {
    describe.each([false, true])('stream %s', (stream) => {
      test.each(firsts)('%s', async (said, first, most) => {
        const before = gateway.upstream.requests.length
        // Amid words, the arguments of a call may be what the model refuses to call with.
        const calls = said === proseAround && asksForCall(client) ? 2 : most
        script = [first, right].slice(0, calls)
        expect(await ask(way(), stream)).toEqual(trip)
        expect(gateway.upstream.requests.length - before).toBe(calls)
      })
    })
  })
})
