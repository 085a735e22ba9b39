import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { type CallOptions, fromFunction, RunnerFailure } from '@stickler/core'
import { withTransportRetries } from '@stickler/core/runners'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  closedPort,
  type ProgrammableUpstream,
  startProgrammableUpstream,
} from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { failing, hangUp, silence } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'

type ModelFunction = Parameters<typeof fromFunction>[0]

let server: ProgrammableUpstream
/** Takes every request and answers none. */
let silent: ProgrammableUpstream
let gone: string
beforeAll(async () => {
  server = await startProgrammableUpstream(answering('fine'))
  silent = await startProgrammableUpstream(silence)
  gone = await closedPort()
})
afterAll(() => Promise.all([server.close(), silent.close()]))

const apiKey = 'sk-of-a-client-1234'

/** Functions as people write them around each client; none of them repeats a call by itself. */
const clients: Readonly<Record<string, (url: string, timeout?: number) => ModelFunction>> = {
  fetch:
    (url, timeout) =>
    async (_messages, { signal }) => {
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        body: '{}',
        signal: timeout === undefined ? signal : AbortSignal.timeout(timeout),
      })
      if (!response.ok) throw Object.assign(new Error('refused'), { response })
      return JSON.parse(await response.text()).choices[0].message.content
    },
  openai:
    (url, timeout) =>
    async (_messages, { signal }) => {
      const client = new OpenAI({ baseURL: url, apiKey, maxRetries: 0, ...(timeout === undefined ? {} : { timeout }) })
      const reply = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }, { signal })
      return reply.choices[0]?.message.content ?? ''
    },
  'openai, repeated by itself':
    (url) =>
    async (_messages, { signal }) => {
      const client = new OpenAI({ baseURL: url, apiKey, maxRetries: 1 })
      const reply = await client.chat.completions.create({ model: 'm', messages: [] }, { signal })
      return reply.choices[0]?.message.content ?? ''
    },
  '@anthropic-ai/sdk':
    (url, timeout) =>
    async (_messages, { signal }) => {
      const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0, ...(timeout === undefined ? {} : { timeout }) })
      const reply = await client.messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }, { signal })
      return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
  'ai with openai-compatible':
    (url) =>
    async (_messages, { signal }) => {
      const model = createOpenAICompatible({ name: 'x', baseURL: url, apiKey })('m')
      return (await generateText({ model, prompt: 'hi', maxRetries: 0, abortSignal: signal })).text
    },
  'ai, repeated by itself':
    (url) =>
    async (_messages, { signal }) => {
      const model = createAnthropic({ baseURL: url, apiKey })('m')
      return (await generateText({ model, prompt: 'hi', maxRetries: 1, abortSignal: signal })).text
    },
  '@langchain/openai':
    (url) =>
    async (_messages, { signal }) => {
      const model = new ChatOpenAI({ model: 'm', apiKey, maxRetries: 0, configuration: { baseURL: url } })
      return String((await model.invoke('hi', { signal })).content)
    },
  '@langchain/anthropic':
    (url) =>
    async (_messages, { signal }) => {
      const model = new ChatAnthropic({ model: 'm', apiKey, maxRetries: 0, anthropicApiUrl: url })
      return String((await model.invoke('hi', { signal })).content)
    },
}
const names = Object.keys(clients)
const repeating = new Set(names.filter((name) => name.includes('itself')))

async function ask(model: ModelFunction | undefined, options: Partial<CallOptions> = {}, retries = 0): Promise<string | RunnerFailure> {
  if (model === undefined) throw new Error('no such client')
  const runner = withTransportRetries(fromFunction(model), { retries, baseDelayMs: 1 })
  let text = ''
  try {
    for await (const event of runner.run(undefined, 'hi', { stream: false, signal: new AbortController().signal, ...options })) {
      if (event.type === 'text') text += event.text
    }
    return text
  } catch (thrown) {
    if (!(thrown instanceof RunnerFailure)) throw thrown
    return thrown
  }
}

describe.each(names)('what %s throws', (name) => {
  const at = clients[name]

  it.each([429, 500, 503, 529])('for status %d is http with it, the reason and retry-after', async (status) => {
    const refused = failing(status, { 'retry-after-ms': '7' }, 'come back later')
    server.enqueue(refused, ...(repeating.has(name) ? [refused] : []))
    const failure = await ask(at?.(server.url))
    expect(failure).toMatchObject({ kind: 'http', details: { status, retryAfterMs: 7 } })
    if (name !== 'fetch') expect(String(failure)).toContain('come back later')
  })

  it('for a request that is wrong is http, and not repeated', async () => {
    const before = server.requests.length
    server.enqueue(failing(400))
    expect(await ask(at?.(server.url), {}, 2)).toMatchObject({ kind: 'http', details: { status: 400 } })
    expect(server.requests.length - before).toBe(1)
  })

  // Some clients wait for seconds before they try again.
  it.concurrent('where nobody listens is connection', async () => {
    expect(await ask(at?.(gone))).toMatchObject({ kind: 'connection', message: expect.stringContaining('ECONNREFUSED') })
  })

  it.concurrent('when the provider hangs up is connection', async () => {
    server.enqueue(hangUp, ...(repeating.has(name) ? [hangUp] : []))
    expect(await ask(at?.(server.url))).toMatchObject({ kind: 'connection' })
  })

  it('when the caller gives up is aborted', async () => {
    expect(await ask(at?.(silent.url), { signal: AbortSignal.timeout(30) })).toMatchObject({ kind: 'aborted' })
  })
})

it.each(['fetch', 'openai', '@anthropic-ai/sdk'])('a time limit of %s is a timeout', async (name) => {
  expect(await ask(clients[name]?.(silent.url, 30))).toMatchObject({ kind: 'timeout' })
})

it.each(['fetch', 'openai', 'ai with openai-compatible', '@langchain/openai'])('%s answers after retries', async (name) => {
  const before = server.requests.length
  server.enqueue(failing(503), hangUp)
  expect(await ask(clients[name]?.(server.url), {}, 2)).toBe('fine')
  expect(server.requests.length - before).toBe(3)
})
