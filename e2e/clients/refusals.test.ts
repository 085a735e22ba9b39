import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { ChatOpenAI } from '@langchain/openai'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const statuses = [422, 400, 406] as const
const contracts = ['violated', 'unchecked'] as const
const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  violated: { checks: [{ max_words: { limit: 1 } }], retries: 0 }
  unchecked: { checks: [remote: { name: tone, url: "http://127.0.0.1:1/" }], retries: 0 }
routes:
  - { model: plain, upstream: up }
${contracts
  .flatMap((contract) => [
    `  - { model: ${contract}-default, upstream: up, contract: ${contract} }`,
    ...statuses.map((status) => `  - { model: ${contract}-${status}, upstream: up, contract: ${contract}, refusalStatus: ${status} }`),
  ])
  .join('\n')}
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())
beforeEach(() => gateway.upstream.otherwise(answering('far too long')))

/** How each client asks once, with its own number of retries where there is room for it in a test. */
const clients: Readonly<Record<string, (model: string, prompt: string, stream: boolean) => Promise<unknown>>> = {
  openai: (model, prompt, stream) =>
    new OpenAI({ apiKey: 'any', baseURL: `${gateway.url}/v1` }).chat.completions.create({
      model,
      stream,
      messages: [{ role: 'user', content: prompt }],
    }),
  'openai responses': (model, prompt, stream) =>
    new OpenAI({ apiKey: 'any', baseURL: `${gateway.url}/v1` }).responses.create({ model, stream, input: prompt }),
  '@anthropic-ai/sdk': (model, prompt, stream) =>
    new Anthropic({ apiKey: 'any', baseURL: gateway.url }).messages.create({
      model,
      stream,
      max_tokens: 9,
      messages: [{ role: 'user', content: prompt }],
    }),
  ai: (model, prompt) => generateText({ model: createOpenAICompatible({ name: 'x', baseURL: `${gateway.url}/v1` })(model), prompt }),
  // Six retries by itself, which take more than a minute.
  '@langchain/openai': (model, prompt) =>
    new ChatOpenAI({ model, apiKey: 'any', maxRetries: 1, configuration: { baseURL: `${gateway.url}/v1` } }).invoke(prompt),
}

async function callsOf(client: string, model: string, stream = false): Promise<readonly [calls: number, error: unknown]> {
  const prompt = `Client ${client} asks ${model}, ${stream ? 'streamed' : 'whole'}`
  const error: unknown = await clients[client]?.(model, prompt, stream).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return [gateway.upstream.requests.filter(({ body }) => body.includes(prompt)).length, error]
}

/** LangChain repeats what it does not know to be final; the others believe `x-should-retry`, or never repeat a 4xx. */
const repeats = (client: string, status: number): boolean => client === '@langchain/openai' && (status === 422 || status === 424)

describe.each(contracts)('an answer that is %s', (contract) => {
  const usual = contract === 'violated' ? 422 : 424
  describe.each(Object.keys(clients))('%s', (client) => {
    // LangChain waits before it asks again, so that one after the other would take as long as all other clients.
    test.concurrent.each(['default', ...statuses] as const)('%s', async (written) => {
      const status = written === 'default' ? usual : written
      const asked = [false, true].map((stream) => callsOf(client, `${contract}-${written}`, stream))
      for (const [calls, error] of await Promise.all(asked)) {
        expect(calls).toBe(repeats(client, status) ? 2 : 1)
        expect(error).toMatchObject(client === 'ai' ? { statusCode: status } : { status })
      }
    })
  })

  test.each([...statuses])('%i keeps the type of the error and the advice not to repeat it', async (status) => {
    const type = contract === 'violated' ? 'contract_violation' : 'contract_unchecked'
    const messages = [{ role: 'user', content: 'Hi' }]
    for (const [path, body] of [
      ['/v1/chat/completions', { messages }],
      ['/v1/responses', { input: 'Hi' }],
      ['/v1/messages', { messages, max_tokens: 9 }],
    ] as const) {
      const reply = await gateway.post(path, { model: `${contract}-${status}`, ...body })
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([status, 'false'])
      expect(await reply.json()).toMatchObject({
        error: { type },
        stickler: { status: contract === 'violated' ? 'unresolved' : 'unchecked' },
      })
    }
  })
})

test('refusals are counted by their verdict, not by their status, and errors of a provider by neither', async () => {
  const count = async (outcome: string): Promise<number> => {
    const text = await (await gateway.get('/metrics')).text()
    const lines = text.split('\n').filter((line) => line.startsWith('stickler_requests_total') && line.includes(`outcome="${outcome}"`))
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
  const put = (path: string, body: object) => gateway.post(path, body).then((reply) => reply.text())
  const messages = [{ role: 'user', content: 'Hi' }]
  for (const status of statuses) {
    const before = [await count('invalid'), await count('error')] as const
    await put('/v1/chat/completions', { model: `violated-${status}`, messages })
    expect([await count('invalid'), await count('error')]).toEqual([before[0] + 1, before[1]])
    await put('/v1/chat/completions', { model: `unchecked-${status}`, messages })
    expect([await count('invalid'), await count('error')]).toEqual([before[0] + 1, before[1] + 1])
    gateway.upstream.otherwise(failing(status))
    await put('/v1/embeddings', { model: 'plain', input: 'Hi' })
    expect([await count('invalid'), await count('error')]).toEqual([before[0] + 1, before[1] + 2])
    gateway.upstream.otherwise(answering('far too long'))
  }
})

test.each([200, 409, 429, 500, '422'])('%s is not one of the statuses', async (status) => {
  await expect(startTestGateway({ yaml: yaml.replace('refusalStatus: 400', `refusalStatus: ${JSON.stringify(status)}`) })).rejects.toThrow(
    /refusalStatus: (?:must be 400, 406 or 422|unknown value)/,
  )
})
