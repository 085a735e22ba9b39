import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { abortMidway } from './aborted.ts'
import { type AdapterCase, cases, longAnswer, refusal, type Seen } from './cases.ts'
import { type Client, clients, codeOf } from './clients.ts'
import { bytesSentToIdle, mostHeld, readSlowly, streamReaders } from './slow-reader.ts'
import { behaviourOf } from './upstream.ts'

const all = [...cases, longAnswer]
const configuration = {
  server: { port: 0 },
  upstreams: [
    { name: 'openai', kind: 'openai', baseUrl: '$UP/v1', apis: ['chat', 'responses'], retries: 0 },
    { name: 'anthropic', kind: 'anthropic', baseUrl: '$UP', retries: 0 },
  ],
  contracts: Object.fromEntries(all.map(({ rules }, at) => [`c${at}`, rules])),
  routes: all.flatMap((_, at) => ['openai', 'anthropic'].map((upstream) => ({ model: `${upstream}-${at}`, upstream, contract: `c${at}` }))),
}
const yaml = Object.entries(configuration)
  .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
  .join('')

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

async function ask(client: Client, one: Pick<AdapterCase, 'tools' | 'answers'>, model: string, stream: boolean): Promise<Seen> {
  let told: Pick<Seen, 'status' | 'attempts'> = {}
  // Only the headers of errors and whole replies name the verdict.
  const listening: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const status = response.headers.get('x-stickler-status') as Seen['status'] | null
    if (status !== null)
      told = { status: status as NonNullable<Seen['status']>, attempts: Number(response.headers.get('x-stickler-attempts')) }
    return response
  }
  gateway.upstream.enqueue(...one.answers.map(behaviourOf))
  const given = await client({ url: gateway.url, model, fetch: listening }, stream, one.tools === true).then(
    (answer) => ({ delivered: true, ...answer }),
    (thrown: unknown) => ({ delivered: false, code: codeOf(thrown) ?? String(thrown) }),
  )
  return { ...given, ...told }
}

describe.each(Object.entries(clients))('%s, through the gateway', (name, client) => {
  for (const stream of [false, true]) {
    test.each(cases.map((one, at) => ({ ...one, at })))(`$name, ${stream ? 'streamed' : 'whole'}`, async ({ at, ...one }) => {
      const seen = await ask(client, one, `${name.includes('anthropic') ? 'anthropic' : 'openai'}-${at}`, stream)
      const { status, attempts, ...given } = one.seen
      expect(seen).toEqual(seen.status === undefined ? given : { ...given, status, attempts })
    })
  }

  const provider = name.includes('anthropic') ? 'anthropic' : 'openai'
  const model = `${provider}-0`

  test.each([false, true])('a refusal as its provider reports it: stream %s', async (stream) => {
    const { status, attempts, ...given } = refusal.passed
    // The AI SDK shows it as text.
    const text = name.startsWith('@ai-sdk/openai') ? refusal.answers[0]?.refusal : ''
    const seen = await ask(client, { answers: refusal.answers.slice(0, 1) }, model, stream)
    expect(seen).toEqual({ ...given, text, ...(seen.status !== undefined && { status, attempts }) })
  })

  test.each([false, true])('an error of the provider is an error of the client: stream %s', async (stream) => {
    const seen = await ask(client, { answers: [{ error: { status: 400, code: 'invalid_request_error' } }] }, model, stream)
    expect(seen.delivered).toBe(false)
  })

  test('a stream that breaks off is an error of the client', async () => {
    const seen = await ask(client, { answers: [{ text: 'Use spaces.', cutAfter: 3 }] }, model, true)
    expect(seen.delivered).toBe(false)
  })
  test('an abort midway ends the call of the provider', async () => {
    const silent = behaviourOf({ text: 'Use spaces, and never anything else.', silentAfter: 6 })
    const way = { url: gateway.url, model: `${provider}-${cases.length}` }
    await abortMidway(gateway.upstream, silent, (signal) => client({ ...way, signal }, true, false))
  })

  test.each([false, true])('an abort before the first word ends the call of the provider: stream %s', async (stream) => {
    await abortMidway(
      gateway.upstream,
      () => {},
      (signal) => client({ url: gateway.url, model, signal }, stream, false),
    )
  })
})

describe.each(Object.entries(streamReaders))('a slow reader behind the gateway: %s', (name, reader) => {
  const way = () => ({ url: gateway.url, model: `${name.includes('anthropic') ? 'anthropic' : 'openai'}-${cases.length}` })

  test('gets everything, and nothing of what is rejected', async () => {
    gateway.upstream.enqueue(...longAnswer.answers.map(behaviourOf))
    expect(await readSlowly(reader.open(way()))).toBe(longAnswer.seen.text)
  })

  test('slows the provider down', async () => {
    expect(await bytesSentToIdle(reader, way(), gateway.upstream)).toBeLessThan(mostHeld)
    expect(gateway.upstream.requests.at(-1)?.aborted).toBe(true)
  })
})
