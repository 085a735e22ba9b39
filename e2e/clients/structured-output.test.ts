import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { betaZodOutputFormat } from '@anthropic-ai/sdk/helpers/beta/zod'
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod'
import { demoConfig, type Gateway, overrideConfig, startGateway } from '@stickler/gateway'
import { generateText, type LanguageModel, Output, streamText } from 'ai'
import OpenAI from 'openai'
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { responseEvents } from '../../packages/core/src/apis/responses/testing/response-events.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: chat, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: responses, kind: openai, baseUrl: $UP/v1, apis: [chat, responses], retries: 0 }
  - { name: messages, kind: anthropic, baseUrl: $UP/v1, retries: 0 }
contracts:
  json: { checks: [json], retries: 0 }
  kept: { checks: [{ json: { deliver: answer } }], retries: 0 }
routes:
  - { model: chat, upstream: chat, contract: json }
  - { model: responses, upstream: responses, contract: json }
  - { model: messages, upstream: messages, contract: json }
  - { model: claude-opus-4-5, upstream: messages, contract: json }
  - { model: kept, upstream: chat, contract: kept }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const Trip = z.object({ city: z.string(), days: z.int() })
const trip = { city: 'Ulm', days: 2 }
const bare = '{"city": "Ulm", "days": 2}'
const wordy = `Here you are:\n\n\`\`\`json\n${bare}\n\`\`\`\n\nAnything else?`
const prompt = 'Plan a trip.'
const messages = [{ role: 'user' as const, content: prompt }]

/** Answers in the API that was asked, in pieces when a stream is wanted. */
const saying =
  (text: string): Behaviour =>
  (exchange) => {
    const { request, response } = exchange
    if (!request.path.endsWith('/responses')) return answering(text, { usage: { prompt: 11, completion: 3 } })(exchange)
    const events = responseEvents([{ text: text.match(/.{1,5}/gs) ?? [] }])
    if (request.json?.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const data of events) response.write(`event: ${JSON.parse(data).type}\ndata: ${data}\n\n`)
      response.end()
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(JSON.parse(events.at(-1) ?? '').response))
  }

type Ask = (url: string, model: string, stream: boolean) => Promise<unknown>
const openai = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
const anthropic = (url: string) => new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0 })
const provider = (url: string) => ({ name: 'stickler', baseURL: `${url}/v1`, apiKey: 'any' })

async function aiSdk(model: LanguageModel, stream: boolean): Promise<unknown> {
  const ask = { model, prompt, output: Output.object({ schema: Trip }), maxRetries: 0 }
  if (!stream) return (await generateText(ask)).output
  const { output } = streamText({ ...ask, onError: () => {} })
  return await output
}

/** Each client that parses answers by itself, as its users call it. */
const clients: Readonly<Record<string, Ask>> = {
  'openai.chat.completions.parse': async (url, model, stream) => {
    const ask = { model, messages, response_format: zodResponseFormat(Trip, 'trip') }
    const { chat } = openai(url)
    const got = stream ? await chat.completions.stream(ask).finalChatCompletion() : await chat.completions.parse(ask)
    return got.choices[0]?.message.parsed
  },
  'openai.chat.completions with json_object': async (url, model, stream) => {
    const ask = { model, messages, response_format: { type: 'json_object' as const } }
    const { chat } = openai(url)
    const got = stream ? await chat.completions.stream(ask).finalChatCompletion() : await chat.completions.create(ask)
    return JSON.parse(got.choices[0]?.message.content ?? '')
  },
  'openai.responses.parse': async (url, model, stream) => {
    const ask = { model, input: prompt, text: { format: zodTextFormat(Trip, 'trip') } }
    const { responses } = openai(url)
    return (stream ? await responses.stream(ask).finalResponse() : await responses.parse(ask)).output_parsed
  },
  'anthropic.messages.parse': async (url, model, stream) => {
    const ask = { model, max_tokens: 100, messages, output_config: { format: zodOutputFormat(Trip) } }
    const { messages: api } = anthropic(url)
    return (stream ? await api.stream(ask).finalMessage() : await api.parse(ask)).parsed_output
  },
  'anthropic.beta.messages.parse': async (url, model, stream) => {
    const ask = { model, max_tokens: 100, messages, output_config: { format: betaZodOutputFormat(Trip) } }
    const { messages: api } = anthropic(url).beta
    return (stream ? await api.stream(ask).finalMessage() : await api.parse(ask)).parsed_output
  },
  'AI SDK, @ai-sdk/openai, chat': (url, model, stream) => aiSdk(createOpenAI(provider(url)).chat(model), stream),
  'AI SDK, @ai-sdk/openai, responses': (url, model, stream) => aiSdk(createOpenAI(provider(url))(model), stream),
  'AI SDK, @ai-sdk/openai-compatible': (url, model, stream) =>
    aiSdk(createOpenAICompatible({ ...provider(url), supportsStructuredOutputs: true })(model), stream),
  'AI SDK, @ai-sdk/openai-compatible without schemas': (url, model, stream) => aiSdk(createOpenAICompatible(provider(url))(model), stream),
  // Asks with a tool, because it does not know the model.
  'AI SDK, @ai-sdk/anthropic, by a tool': (url, model, stream) => aiSdk(createAnthropic(provider(url))(model), stream),
}

/** `json_object` has no equivalent at Anthropic, and is refused. */
const impossible = /json_object|without schemas/

describe.each(Object.entries(clients))('%s', (name, ask) => {
  describe.each(['chat', 'responses', 'messages'].filter((model) => model !== 'messages' || !impossible.test(name)))(
    'in front of %s',
    (model) => {
      test.each([true, false])('reads the value of an answer with prose and a fence; streamed: %s', async (stream) => {
        gateway.upstream.enqueue(saying(wordy))
        expect(await ask(gateway.url, model, stream)).toEqual(trip)
      })
    },
  )
})

test.each([true, false])('AI SDK, @ai-sdk/anthropic, with the format of the API; streamed: %s', async (stream) => {
  gateway.upstream.enqueue(saying(wordy))
  expect(await aiSdk(createAnthropic(provider(gateway.url))('claude-opus-4-5'), stream)).toEqual(trip)
  expect(gateway.upstream.requests.at(-1)?.json).toHaveProperty('output_config.format')
})

test('deliver: answer in the contract keeps the text', async () => {
  gateway.upstream.enqueue(saying(wordy))
  const ask = { model: 'kept', messages, response_format: { type: 'json_object' as const } }
  expect((await openai(gateway.url).chat.completions.create(ask)).choices[0]?.message.content).toBe(wordy)
})

test('an answer for a reader keeps its prose', async () => {
  for (const format of [undefined, { type: 'text' as const }]) {
    gateway.upstream.enqueue(saying(wordy))
    const ask = { model: 'chat', messages, ...(format && { response_format: format }) }
    expect((await openai(gateway.url).chat.completions.create(ask)).choices[0]?.message.content).toBe(wordy)
  }
})

describe('the demo', () => {
  let folder: string
  let demo: Gateway

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stickler-demo-'))
    const config = overrideConfig(await demoConfig(folder), { port: 0 }, folder)
    demo = await startGateway({ config, log: { write: () => {} } })
  })
  afterAll(async () => {
    await demo.close()
    await rm(folder, { recursive: true, force: true })
  })

  describe.each(Object.entries(clients))('%s', (_name, ask) => {
    test.each([true, false])('reads its value; streamed: %s', async (stream) => {
      expect(await ask(demo.url, 'demo-json', stream)).toEqual(trip)
    })
  })
})
