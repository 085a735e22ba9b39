import { ConfigurationError, ValidatorUnavailable } from '@stickler/core'
import { manualClock } from '@stickler/core/testing'
import { judgeRelevance } from '@stickler/core/validators'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddingsAnswer, type EmbeddingsServer, soundAnswer, startEmbeddings, vectorFor } from '../../testing/embeddings-server.ts'
import { type OpenAiEmbedderSettings, openaiEmbedder } from './openai-embedder.ts'

const apiKey = 'sk-0123456789abcdef'
let server: EmbeddingsServer

beforeAll(async () => {
  server = await startEmbeddings()
})
afterAll(() => server.close())
beforeEach(() => {
  server.answer = soundAnswer
  server.requests.length = 0
})

const embedder = (settings: Partial<OpenAiEmbedderSettings> = {}) =>
  openaiEmbedder({ baseUrl: server.baseUrl, model: 'm', apiKey, timeoutMs: 20_000, ...settings })
const numbers = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector])
const query = { purpose: 'query' } as const

test('gives what the SDK of OpenAI gives for the same texts, which asks in base64', async () => {
  const texts = ['a', 'bb', 'größer 😀', 'with\nlines']
  const sdk = new OpenAI({ baseURL: server.baseUrl, apiKey, maxRetries: 0 })
  const theirs = await sdk.embeddings.create({ model: 'm', input: texts })
  const byIndex = theirs.data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => [...embedding])
  expect(server.requests[0]?.encoding_format).toBe('base64')
  expect(numbers(await embedder().embed(texts))).toEqual(byIndex)
  server.answer = (asked, response) => soundAnswer({ ...asked, encoding_format: 'base64' }, response)
  expect(numbers(await embedder().embed(texts))).toEqual(byIndex)
  expect(server.headers.at(-1)?.authorization).toBe(`Bearer ${apiKey}`)
})

test('embeds a text once, in batches of bounded count and size', async () => {
  const embed = embedder({ batch: 3 }).embed
  const texts = ['a', 'b', 'a', 'c', 'd', '', ' ']
  expect(numbers(await embed(texts))).toEqual(['a', 'b', 'a', 'c', 'd', '-', '-'].map((text) => vectorFor(text)))
  expect(server.requests.map(({ input }) => input)).toEqual([
    ['a', 'b', 'c'],
    ['d', '-'],
  ])
  await embed(['a', 'd'], query)
  expect(server.requests.length).toBe(2)
  await embed(Array.from({ length: 40 }, (_, i) => `${i}`.repeat(16_000)))
  const sizes = server.requests.slice(2).map(({ input }) => input.join('').length)
  expect(Math.max(...sizes)).toBeLessThan(262_145)
})

test('remembers a bounded number of texts', async () => {
  const embed = embedder({ batch: 2000 }).embed
  await embed(['first'])
  await embed(Array.from({ length: 1024 }, (_, i) => `text ${i}`))
  await embed(['first', 'text 1023'])
  expect(server.requests.at(-1)?.input).toEqual(['first'])
})

test('asks for the dimensions of the settings and carries them in its name', async () => {
  const { name, embed } = embedder({ dimensions: 6 })
  expect(name).toBe('openai:m:6')
  expect((await embed(['a']))[0]?.length).toBe(6)
  expect(server.requests[0]?.dimensions).toBe(6)
})

const entry = (index: unknown, embedding: unknown = [1, 2]) => ({ index, embedding })
const status =
  (code: number, body: string, headers: Record<string, string> = {}): EmbeddingsAnswer =>
  (_, response) => {
    response.writeHead(code, headers).end(body)
  }

describe('an endpoint that does not answer with vectors is a fault', () => {
  const faults: readonly [string, EmbeddingsAnswer, RegExp][] = [
    ['fewer embeddings than texts', () => [entry(0)], /1 embeddings for 2 texts/],
    ['a missing index', () => [entry(0), { embedding: [1, 2] }], /no index/],
    ['an index of no text', () => [entry(0), entry(2)], /no index of its text: 2/],
    ['the same index twice', () => [entry(0), entry(0)], /same index/],
    ['different lengths', () => [entry(0), entry(1, [1])], /1 numbers instead of 2/],
    ['NaN', () => [entry(0), entry(1, [null, 1])], /not a list of numbers/],
    ['infinity in base64', () => [entry(0), entry(1, 'AACAfwAAgH8=')], /not finite/],
    ['base64 that is cut', () => [entry(0), entry(1, 'AAAA')], /not a list of numbers/],
    ['something that is not base64', () => [entry(0), entry(1, '**')], /not a list of numbers/],
    ['an empty vector', () => [entry(0), entry(1, [])], /not a list of numbers/],
    ['data that is not a list', () => ({}), /no list "data"/],
    ['null as entries', () => [null, null], /no index/],
    ['an error page in HTML', status(502, '<html>Bad gateway</html>'), /status 502: <html>/],
    ['HTML with status 200', status(200, '<html>'), /not a JSON object: <html>/],
    ['a wrong key, repeated', status(401, `{"error":{"message":"Incorrect key ${apiKey}"}}`), /status 401: Incorrect key \[redacted\]/],
    ['a redirect', status(307, '', { location: 'http://127.0.0.1:1/' }), /not followed/],
    ['an error object with status 200', status(200, '{"error":{"message":"no model"}}'), /no model/],
    [
      'a body that is cut',
      (_, response) => void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
      /broke/,
    ],
    ['a closed connection', (_, response) => void response.destroy(), /could not be reached/],
    ['a body that is too large', (_, response) => void response.end(`"${'x'.repeat(33 * 1024 * 1024)}"`), /larger than/],
  ]
  test.each(faults)('%s', async (_, answer, message) => {
    server.answer = answer
    const failed = await embedder()
      .embed(['a', 'b'], query)
      .then(String, (error: unknown) => error)
    expect(failed).toBeInstanceOf(ValidatorUnavailable)
    expect(String(failed)).toMatch(message)
    expect(String(failed)).not.toContain(apiKey)
    expect(JSON.stringify(failed)).not.toContain(apiKey)
    expect(server.requests.length).toBe(1)
  })

  test('another length than that of vectors that are cached, which are forgotten', async () => {
    const { embed } = embedder()
    server.answer = ({ input }) => input.map((_, index) => entry(index))
    await embed(['a'])
    server.answer = soundAnswer
    await expect(embed(['a', 'b'], query)).rejects.toThrow(/changed the length/)
    expect(numbers(await embed(['a', 'b'], query))).toEqual([vectorFor('a'), vectorFor('b')])
  })

  test('one that hangs, or trickles, ends at the time limit', async () => {
    server.answer = () => undefined
    await expect(embedder({ timeoutMs: 50 }).embed(['a'], query)).rejects.toThrow(/did not answer within 50 ms/)
    server.answer = (_, response) => {
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    }
    await expect(embedder({ timeoutMs: 80 }).embed(['a'], query)).rejects.toThrow(/did not answer within 80 ms/)
  })

  test('one that fails again and again is left alone', async () => {
    server.answer = status(500, '')
    const { embed } = embedder()
    for (let i = 0; i < 7; i++) await expect(embed([`${i}`], query)).rejects.toBeInstanceOf(ValidatorUnavailable)
    expect(server.requests.length).toBe(5)
  })
})

test('an abort ends the request with the reason of the caller', async () => {
  server.answer = () => undefined
  const controller = new AbortController()
  const embedded = embedder().embed(['a'], { signal: controller.signal })
  while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  controller.abort('enough')
  await expect(embedded).rejects.toBe('enough')
})

describe('a busy endpoint', () => {
  const clock = manualClock()
  const busy = (times: number, wait: string) => {
    let left = times
    server.answer = (asked, response) =>
      left-- > 0 ? status(429, '', { 'retry-after': wait })(asked, response) : soundAnswer(asked, response)
  }
  /** Lets the manual clock go on, but only as real answers come. */
  async function during<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    work.then(over, over)
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (clock.pending > 0) clock.advance(1000)
    }
    return work
  }

  test('is waited for when passages are indexed, not when a query waits', async () => {
    busy(2, '7')
    await expect(embedder().embed(['a'], { purpose: 'passage' })).rejects.toThrow(/429/)
    const begin = clock.now()
    const patient = embedder({ clock, timeoutMs: 1e9 })
    expect(numbers(await during(patient.embed(['a'], { purpose: 'passage', patient: true })))).toEqual([vectorFor('a')])
    expect(clock.now() - begin).toBeGreaterThanOrEqual(7000)
  })

  test('that asks for too much patience, or never gets better, is a fault', async () => {
    busy(1, '3600')
    await expect(during(embedder({ clock, timeoutMs: 1e9 }).embed(['a'], { patient: true }))).rejects.toThrow(/429/)
    server.requests.length = 0
    busy(99, '1')
    await expect(during(embedder({ clock, timeoutMs: 1e9 }).embed(['a'], { patient: true }))).rejects.toThrow(/429/)
    expect(server.requests.length).toBe(4)
    server.answer = status(400, 'no')
    server.requests.length = 0
    await expect(during(embedder({ clock, timeoutMs: 1e9 }).embed(['a'], { patient: true }))).rejects.toThrow(/400/)
    expect(server.requests.length).toBe(1)
  })
})

test('wrong settings are rejected without repeating secrets', () => {
  expect(() => embedder({ baseUrl: 'ftp://x' })).toThrow(ConfigurationError)
  expect(() => embedder({ baseUrl: 'http://user:hunter2hunter2@x/' })).toThrow(expect.not.stringContaining('hunter2'))
  expect(() => embedder({ apiKey: `${apiKey}\u0100` })).toThrow(/apiKey/)
  expect(() => embedder({ dimensions: 0 })).toThrow(/dimensions/)
})

test('relevance is judged by words when the endpoint fails, after one try, and nothing goes on', async () => {
  const clock = manualClock()
  server.answer = status(503, '', { 'retry-after': '1' })
  const given = { question: 'How often does it retry?', chunks: ['It retries twice.'], strategy: 'embedding' } as const
  const own = embedder({ clock })
  for (let call = 0; call < 7; call++) {
    const verdict = await judgeRelevance({ ...given, chunks: [`It retries ${call} times.`], embedder: own, clock })
    expect(verdict).toMatchObject({ relevant: true, strategy: 'lexical', fallback: expect.any(String) })
    expect(clock.pending).toBe(0)
  }
  const inputs = server.requests.map(({ input }) => input.join())
  expect(new Set(inputs.filter((input) => input.includes('times'))).size).toBe(inputs.filter((input) => input.includes('times')).length)
})
