import Anthropic from '@anthropic-ai/sdk'
import { contract, type Outcome } from '@stickler/core'
import { anthropicMiddleware, enforcedFetch } from '@stickler/core/fetch'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { type AdapterCase, cases, refusal, type Seen } from './cases.ts'
import { type Client, clients, codeOf, type Way } from './clients.ts'
import { behaviourOf } from './upstream.ts'

let upstream: ProgrammableUpstream
beforeAll(async () => {
  upstream = await startProgrammableUpstream(failing(500))
})
afterAll(() => upstream.close())

/** Asks through a client whose requests go through us. */
async function ask(
  client: Client,
  { contract, tools, answers }: Pick<AdapterCase, 'contract' | 'tools' | 'answers'>,
  stream: boolean,
  isMiddleware = false,
): Promise<Seen> {
  const outcomes: Outcome[] = []
  const options = { onOutcome: (outcome: Outcome) => void outcomes.push(outcome) }
  const own: Partial<Way> = isMiddleware
    ? { middleware: [anthropicMiddleware(contract, options)] }
    : { fetch: enforcedFetch(contract, options) }
  upstream.enqueue(...answers.map(behaviourOf))
  const given = await client({ url: upstream.url, model: 'm', ...own }, stream, tools === true).then(
    (answer) => ({ delivered: true, ...answer }),
    (thrown: unknown) => ({ delivered: false, code: codeOf(thrown) ?? String(thrown) }),
  )
  expect(outcomes).toHaveLength(1)
  const [{ status, attempts }] = outcomes as [Outcome]
  return { ...given, status, attempts }
}

describe.each(Object.entries(clients))('%s', (_, client) => {
  for (const stream of [false, true]) {
    test.each(cases)(`$name, ${stream ? 'streamed' : 'whole'}`, async (one) => {
      expect(await ask(client, one, stream)).toEqual(one.seen)
    })
  }
})

describe('@anthropic-ai/sdk, by its middleware', () => {
  for (const stream of [false, true]) {
    test.each(cases)(`$name, ${stream ? 'streamed' : 'whole'}`, async (one) => {
      expect(await ask(clients['@anthropic-ai/sdk'] as Client, one, stream, true)).toEqual(one.seen)
    })
  }
})

const [valid] = cases as readonly [AdapterCase, ...AdapterCase[]]

describe.each(Object.entries(clients))('%s, beside the table', (name, client) => {
  const through = (more: Partial<Way> = {}): Way => ({ url: upstream.url, model: 'm', fetch: enforcedFetch(valid.contract), ...more })

  test.each([false, true])('repeats a request by itself when the provider asks for it: stream %s', async (stream) => {
    const before = upstream.requests.length
    const error = { status: 429, code: 'rate_limit_error', headers: { 'retry-after': '0', 'retry-after-ms': '1' } }
    upstream.enqueue(...[{ error }, ...valid.answers].map(behaviourOf))
    expect(await client(through({ maxRetries: 1 }), stream, false)).toMatchObject({ text: valid.seen.text })
    expect(upstream.requests.length - before).toBe(2)
  })

  test.each([false, true])('gets a refusal as its provider reports it: stream %s', async (stream) => {
    const before = upstream.requests.length
    // The AI SDK shows it as text.
    const text = name.startsWith('@ai-sdk/openai') ? refusal.answers[0]?.refusal : ''
    expect(await ask(client, { ...refusal, answers: refusal.answers.slice(0, 1) }, stream)).toEqual({ ...refusal.passed, text })
    expect(upstream.requests.length - before).toBe(1)
  })

  test('throws when the provider breaks a stream off', async () => {
    upstream.enqueue(behaviourOf({ text: 'Use spaces.', cutAfter: 3 }))
    await expect(client(through(), true, false)).rejects.toThrow()
  })

  test('ends the call of the provider when it is aborted midway', async () => {
    const controller = new AbortController()
    const before = upstream.requests.length
    const shown = contract({ checks: [{ contains: { none: ['tabs'] } }] })
    upstream.enqueue(behaviourOf({ text: 'Use spaces, and never anything else.', silentAfter: 6 }))
    const ending = expect(client(through({ fetch: enforcedFetch(shown), signal: controller.signal }), true, false)).rejects.toThrow()
    while (upstream.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 2))
    await new Promise((resolve) => setTimeout(resolve, 50))
    controller.abort()
    await ending
    await upstream.requests[before]?.closed
    expect(upstream.requests[before]?.aborted).toBe(true)
  })

  test.each([false, true])('ends the call of the provider when it is aborted: stream %s', async (stream) => {
    const controller = new AbortController()
    const before = upstream.requests.length
    upstream.enqueue(() => {})
    const asking = client(through({ signal: controller.signal }), stream, false)
    const ending = expect(asking).rejects.toThrow()
    while (upstream.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 2))
    controller.abort()
    await ending
    await upstream.requests[before]?.closed
    expect(upstream.requests[before]?.aborted).toBe(true)
  })
})

describe('a slow reader slows the provider down', () => {
  const chunk = { id: 'x', choices: [{ index: 0, delta: { content: 'more '.repeat(400) } }] }
  const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'more '.repeat(400) } }
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } }
  const start = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ]
  const asked = { model: 'm', max_tokens: 99, messages: [{ role: 'user' as const, content: 'Talk.' }], stream: true as const }
  const maxRetries = 0
  const apiKey = 'sk-of-a-client-1234'
  const fetch = enforcedFetch(contract({ checks: [{ contains: { none: ['tabs'] } }] }))

  test.each<[string, readonly object[], object, () => Promise<AsyncIterable<unknown>>]>([
    ['openai', [], chunk, () => new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey, maxRetries, fetch }).chat.completions.create(asked)],
    ['@anthropic-ai/sdk', start, delta, () => new Anthropic({ baseURL: upstream.url, apiKey, maxRetries, fetch }).messages.create(asked)],
  ])('%s', async (_, first, next, open) => {
    let sent = 0
    const before = upstream.requests.length
    const frame = (event: object): string => `event: ${'type' in event ? event.type : 'message'}\ndata: ${JSON.stringify(event)}\n\n`
    upstream.enqueue(async (exchange) => {
      exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of first) await exchange.write(frame(event))
      while (await exchange.write(frame(next))) {
        sent++
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    const pause = () => new Promise((resolve) => setTimeout(resolve, 200))
    for await (const _event of await open()) {
      // Until buffers are full, more is sent.
      let last = -1
      while (last !== sent) {
        last = sent
        await pause()
      }
      // Sockets and readers hold a few megabytes at most, of a stream without an end.
      expect(sent * frame(next).length).toBeLessThan(32 * 1024 * 1024)
      break
    }
    await upstream.requests[before]?.closed
    expect(upstream.requests[before]?.aborted).toBe(true)
  })
})
