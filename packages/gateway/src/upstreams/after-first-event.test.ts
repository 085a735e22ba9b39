import { manualClock } from '@stickler/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createUpstream } from '../testing/create-upstream.ts'
import { type Behaviour, type ProgrammableUpstream, startProgrammableUpstream } from '../testing/programmable-upstream.ts'
import { answering, answeringBody } from '../testing/programmable-upstream-answers.ts'
import { breakingOff, endingEarly, endlessStream, failing, fallingSilent } from '../testing/programmable-upstream-faults.ts'
import { asking, calling, readChoice, readFirst } from '../testing/programmable-upstream-reading.ts'
import type { Upstream } from './upstream.ts'

let server: ProgrammableUpstream
let told: string[]
let states: string[]
const clock = manualClock()
const opened: Upstream[] = []

beforeEach(async () => {
  server = await startProgrammableUpstream(answering('fine'))
  told = []
  states = []
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((upstream) => upstream.close()))
  await server.close()
})

const kinds = ['openai', 'anthropic'] as const
async function open(kind: (typeof kinds)[number] | 'scripted', failures: number, further: object = {}): Promise<Upstream> {
  const settings = {
    kind,
    name: 'main',
    baseUrl: `${server.url}/v1`,
    retry: { retries: 0 },
    breaker: { failures, openMs: 1000 },
    ...further,
  }
  const upstream = await createUpstream(settings, {
    clock,
    onBreaker: (_, state) => states.push(state),
    onFailure: (_, { kind }) => told.push(kind),
  })
  opened.push(upstream)
  return upstream
}

describe.each(kinds)('a stream of %s that has begun', (kind) => {
  it.each<[string, Behaviour, string[]]>([
    ['breaks', breakingOff('a text that is quite a bit longer', 5), ['connection']],
    ['ends too early, which says nothing about the provider', endingEarly('a text that is quite a bit longer', 5), ['protocol']],
  ])('%s', async (_, behaviour, kinds) => {
    const upstream = await open(kind, 1)
    server.enqueue(behaviour)
    const { text, failure } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect([text === '', failure?.kind, told]).toEqual([false, kinds[0], kinds])
    expect(states).toEqual(kinds[0] === 'connection' ? ['open'] : [])
    expect(server.requests.length).toBe(1)
  })

  it('and is aborted says so once, and nothing to the breaker', async () => {
    const upstream = await open(kind, 1)
    server.enqueue(fallingSilent('a text that is quite a bit longer', 5))
    const controller = new AbortController()
    const [choice] = upstream.call(asking('hi', { stream: true }), calling({ signal: controller.signal })).choices
    const events = choice?.[Symbol.asyncIterator]()
    await events?.next()
    controller.abort()
    await expect(readChoice({ [Symbol.asyncIterator]: () => events as never })).resolves.toMatchObject({ failure: { kind: 'aborted' } })
    expect([told, states]).toEqual([['aborted'], []])
  })

  it('and is left is told to nobody', async () => {
    const upstream = await open(kind, 1)
    server.enqueue(kind === 'openai' ? endlessStream : fallingSilent('a text that is quite a bit longer', 5))
    for await (const _ of upstream.call(asking('hi', { stream: true }), calling()).choices[0] ?? []) break
    await server.requests[0]?.closed
    expect([told, states]).toEqual([[], []])
  })

  it('and is left while it is waited for is told to nobody either', async () => {
    const upstream = await open(kind, 1)
    server.enqueue(fallingSilent('a text that is quite a bit longer', 5))
    const events = upstream.call(asking('hi', { stream: true }), calling()).choices[0]?.[Symbol.asyncIterator]()
    let pending = events?.next()
    const silence = () => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 300))
    while ((await Promise.race([pending, silence()])) !== undefined) pending = events?.next()
    await events?.return?.()
    expect(await pending).toEqual({ done: true, value: undefined })
    await server.requests[0]?.closed
    expect([told, states]).toEqual([[], []])
  })

  it('and ends well forgives earlier failures, one that is left does not', async () => {
    const upstream = await open(kind, 2)
    const read = () => readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    server.enqueue(failing(500), answering('fine'), failing(500))
    for (let call = 0; call < 3; call++) await read()
    expect(states).toEqual([])
    // Slow, because an answer whose last bytes have come has ended well, whoever leaves.
    server.enqueue(answering('a text that is quite a bit longer', { delayMs: 20 }))
    for await (const _ of upstream.call(asking('hi', { stream: true }), calling()).choices[0] ?? []) break
    server.enqueue(failing(500))
    await read()
    expect(states).toEqual(['open'])
  })

  it('closes a circuit that probes, and opens it again when it breaks', async () => {
    const upstream = await open(kind, 3)
    const read = () => readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    server.enqueue(failing(500), failing(500), failing(500), breakingOff('a text that is quite a bit longer', 5))
    for (let call = 0; call < 3; call++) await read()
    clock.advance(1000)
    const events = upstream.call(asking('hi', { stream: true }), calling()).choices[0]?.[Symbol.asyncIterator]()
    await events?.next()
    expect(states).toEqual(['open', 'half-open', 'closed'])
    await readChoice({ [Symbol.asyncIterator]: () => events as never })
    expect(states).toEqual(['open', 'half-open', 'closed', 'open'])
  })
})

describe('several choices of one call', () => {
  it('fail once', async () => {
    const upstream = await open('openai', 2)
    server.enqueue(breakingOff('a long text', 6, { more: ['x y z'] }))
    const { choices } = upstream.call(asking('hi', { stream: true, n: 2 }), calling())
    expect((await Promise.all(choices.map(readChoice))).map(({ failure }) => failure?.kind)).toEqual(['connection', 'connection'])
    expect([told, states]).toEqual([['connection'], []])
  })

  it('end well once the last has ended; a choice that is left leaves the call undecided', async () => {
    const upstream = await open('openai', 2)
    server.otherwise(answering('a b c', { more: ['d e f'], delayMs: 20 }))
    const read = () => readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    server.enqueue(failing(500))
    await read()
    const [first, second] = upstream.call(asking('hi', { stream: true, n: 2 }), calling()).choices
    for await (const _ of first ?? []) break
    expect((await readChoice(second)).end).toBeDefined()
    server.enqueue(failing(500))
    await read()
    expect(states).toEqual(['open'])
  })
})

describe.each([true, false])('an error in the same bytes as the first text, stream: %s', (stream) => {
  it('is no answer yet: the call is repeated', async () => {
    const upstream = await open('openai', 5, { retry: { retries: 1, baseDelayMs: 1 } })
    const error = { error: { message: 'overloaded', code: 503, status_code: 503 } }
    const data = [{ id: 'x', choices: [{ index: 0, delta: { content: 'a' } }] }, error]
    const body = data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
    server.enqueue(answeringBody(body, { contentType: 'text/event-stream' }))
    const reading = readFirst(upstream.call(asking('hi', { stream }), calling()))
    await expect.poll(() => told.length, { timeout: 10_000 }).toBe(1)
    await clock.advanceAsync(10)
    const { text, failure } = await reading
    expect([told, text || failure?.kind, server.requests.length]).toEqual([['http'], 'fine', 2])
  })
})

it('a runner that breaks counts, and one that ends well forgives', async () => {
  const wrong = { failure: { kind: 'connection' } }
  const upstream = await open('scripted', 2, { answers: [wrong, 'fine', wrong, wrong] })
  for (let call = 0; call < 4; call++) await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
  expect([told, states]).toEqual([['connection', 'connection', 'connection'], ['open']])
})
