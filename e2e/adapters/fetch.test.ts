import type { Outcome } from '@stickler/core'
import { anthropicMiddleware, enforcedFetch } from '@stickler/core/fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { abortMidway } from './aborted.ts'
import { type AdapterCase, cases, longAnswer, refusal, type Seen } from './cases.ts'
import { type Client, clients, codeOf, type Way } from './clients.ts'
import { bytesSentToIdle, mostHeld, readSlowly, streamReaders } from './slow-reader.ts'
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

  test.each([false, true])('throws the error of the provider: stream %s', async (stream) => {
    upstream.enqueue(behaviourOf({ error: { status: 400, code: 'invalid_request_error' } }))
    await expect(client(through(), stream, false)).rejects.toThrow()
  })

  test('throws when the provider breaks a stream off', async () => {
    upstream.enqueue(behaviourOf({ text: 'Use spaces.', cutAfter: 3 }))
    await expect(client(through(), true, false)).rejects.toThrow()
  })

  test('ends the call of the provider when it is aborted midway', async () => {
    const fetch = enforcedFetch(longAnswer.contract)
    const silent = behaviourOf({ text: 'Use spaces, and never anything else.', silentAfter: 6 })
    await abortMidway(upstream, silent, (signal) => client(through({ fetch, signal }), true, false))
  })

  test.each([false, true])('ends the call of the provider when it is aborted: stream %s', async (stream) => {
    await abortMidway(
      upstream,
      () => {},
      (signal) => client(through({ signal }), stream, false),
    )
  })
})

describe.each(Object.entries(streamReaders))('a slow reader: %s', (_, reader) => {
  const way = (): Way => ({ url: upstream.url, model: 'm', fetch: enforcedFetch(longAnswer.contract) })

  test('gets everything, and nothing of what is rejected', async () => {
    upstream.enqueue(...longAnswer.answers.map(behaviourOf))
    expect(await readSlowly(reader.open(way()))).toBe(longAnswer.seen.text)
  })

  test('slows the provider down', async () => {
    expect(await bytesSentToIdle(reader, way(), upstream)).toBeLessThan(mostHeld)
    expect(upstream.requests.at(-1)?.aborted).toBe(true)
  })
})
