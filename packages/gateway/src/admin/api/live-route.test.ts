import { manualClock } from '@stickler/core/testing'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../records/store/store-unavailable.ts'
import { RawClient, rawRequest, startFront, type TestFront, until } from '../../testing/http-front.ts'
import { MemoryQueries, runRecord } from '../../testing/memory-queries.ts'
import { LiveFeed } from './live-feed.ts'
import { liveRoute } from './live-route.ts'

let queries: MemoryQueries
let clock: ReturnType<typeof manualClock>
let feed: LiveFeed
let front: TestFront
let clients: AbortController[]
let warnings: number

beforeEach(async () => {
  queries = new MemoryQueries()
  clock = manualClock()
  warnings = 0
  clients = []
  feed = new LiveFeed({ queries, clock, log: pino({ level: 'warn' }, { write: () => void warnings++ }) })
  front = await startFront([liveRoute({ apis: [], queries, feed, heartbeatMs: 30 })])
})
afterEach(async () => {
  for (const client of clients) client.abort()
  await front.close()
})

const commit = (from: number, to: number, model = 'small') => {
  for (let index = from; index <= to; index++) queries.runs.push(runRecord(`r${index}`, { model }))
}
const polls = () => queries.asked.filter((asked) => (asked as { limit: number }).limit > 0).length

async function listen(path = '/api/v1/live', headers: Record<string, string> = {}) {
  const events: EventSourceMessage[] = []
  const comments: string[] = []
  const controller = new AbortController()
  clients.push(controller)
  const response = await fetch(`http://127.0.0.1:${front.port}${path}`, { headers, signal: controller.signal })
  const parser = createParser({ onEvent: (event) => events.push(event), onComment: (comment) => comments.push(comment) })
  let ended = false
  const reading = (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) parser.feed(chunk)
  })()
  reading
    .catch(() => {})
    .finally(() => {
      ended = true
    })
  const runs = () =>
    events
      .filter(({ event }) => event === 'runs')
      .flatMap(({ data }) => (JSON.parse(data) as { items: { id: string }[] }).items.map(({ id }) => id))
  return { response, events, comments, runs, leave: () => controller.abort(), ended: () => ended }
}

describe('one who listens', () => {
  it('is told what is committed from then on', async () => {
    commit(1, 3)
    const client = await listen()
    await until(() => client.events.length === 1)
    expect(client.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(client.events[0]).toMatchObject({ event: 'ready', id: 'c3' })
    commit(4, 5)
    await clock.advanceAsync(500)
    await until(() => client.runs().length === 2)
    expect(client.runs()).toEqual(['r4', 'r5'])
    expect(client.events.at(-1)?.id).toBe('c5')
  })

  it.each([
    ['a header', '/api/v1/live', { 'last-event-id': 'c1' }],
    ['the query', '/api/v1/live?cursor=c1', {}],
    ['both: the header is newer', '/api/v1/live?cursor=c0', { 'last-event-id': 'c1' }],
  ])('goes on where it was, by %s', async (_, path, headers) => {
    commit(1, 3)
    const client = await listen(path, headers)
    await until(() => client.runs().length === 2)
    commit(4, 4)
    await clock.advanceAsync(500)
    await until(() => client.runs().length === 3)
    expect(client.runs()).toEqual(['r2', 'r3', 'r4'])
  })

  it('gets each run once, though others made the feed fall behind', async () => {
    const first = await listen()
    await until(() => first.events.length === 1)
    commit(1, 2)
    // The second finds these in the store before the feed does.
    const second = await listen('/api/v1/live?cursor=c0')
    await until(() => second.runs().length === 2)
    commit(3, 3)
    await clock.advanceAsync(500)
    await until(() => second.runs().length === 3 && first.runs().length === 3)
    expect(second.runs()).toEqual(['r1', 'r2', 'r3'])
    expect(first.runs()).toEqual(['r1', 'r2', 'r3'])
  })

  it('is told when it missed too much', async () => {
    commit(1, 2500)
    const client = await listen('/api/v1/live?cursor=c0')
    await until(() => client.events.some(({ event }) => event === 'missed'))
    expect(client.runs()).toHaveLength(1000)
    commit(2501, 2501)
    await clock.advanceAsync(500)
    await until(() => client.runs().length === 1001)
  })

  it('hears signs of life', async () => {
    const client = await listen()
    await until(() => client.comments.length >= 2)
  })

  it('cannot be sent anything but events by what runs hold', async () => {
    const client = await listen()
    await until(() => client.events.length === 1)
    commit(1, 1, 'm\r\n\r\nevent: ready\ndata: x\n\n\u2028</script>')
    await clock.advanceAsync(500)
    await until(() => client.runs().length === 1)
    expect(client.events.map(({ event }) => event)).toEqual(['ready', 'runs'])
  })
})

describe('the store', () => {
  it('is asked once for all, and by nobody when nobody listens', async () => {
    await clock.advanceAsync(10_000)
    expect(queries.asked).toEqual([])
    const many = await Promise.all(Array.from({ length: 5 }, () => listen()))
    await until(() => feed.size === 5 && many.every(({ events }) => events.length === 1))
    const before = polls()
    await clock.advanceAsync(2000)
    expect(polls() - before).toBe(4)
    for (const client of many) client.leave()
    await until(() => feed.size === 0)
    const after = polls()
    await clock.advanceAsync(10_000)
    expect([polls(), clock.pending]).toEqual([after, 0])
  })

  it('may fail: it is asked less and less, with one warning, and nobody is cut off', async () => {
    const client = await listen()
    await until(() => client.events.length === 1)
    queries.failure = new StoreUnavailable('database', 'x')
    const before = polls()
    await clock.advanceAsync(60_000)
    expect(polls() - before).toBeLessThan(15)
    expect(warnings).toBe(1)
    queries.failure = undefined
    commit(1, 1)
    await clock.advanceAsync(10_000)
    await until(() => client.runs().length === 1)
  })

  it('that fails at once is a 503', async () => {
    queries.failure = new StoreUnavailable('database', 'x')
    expect((await listen()).response.status).toBe(503)
    expect(feed.size).toBe(0)
  })
})

it.each(['/api/v1/live?cursor=%0a', '/api/v1/live?cursor=unknown', '/api/v1/live?x=1'])('%s is a 400', async (path) => {
  expect((await listen(path)).response.status).toBe(400)
  expect(feed.size).toBe(0)
})

it('a header that is no cursor is passed over', async () => {
  expect((await listen('/api/v1/live', { 'last-event-id': '<script>' })).response.status).toBe(200)
})

it('too many who listen are refused', async () => {
  await Promise.all(Array.from({ length: 64 }, () => listen()))
  await until(() => feed.size === 64)
  const { response } = await listen()
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5'])
})

it('one who does not read is cut off, and the others go on', async () => {
  const reader = await listen()
  const lazy = new RawClient(front.port).send(rawRequest('GET', '/api/v1/live'))
  await until(() => feed.size === 2)
  lazy.socket.pause()
  for (let turn = 0; turn < 400 && feed.size === 2; turn++) {
    commit(turn * 10 + 1, turn * 10 + 10, 'm'.repeat(10_000))
    await clock.advanceAsync(500)
  }
  await until(() => feed.size === 1)
  expect(reader.ended()).toBe(false)
  lazy.socket.destroy()
})

it('ends for all when the server goes down', async () => {
  const client = await listen()
  await until(() => client.events.length === 1)
  feed.close()
  await until(() => client.ended() && feed.size === 0)
})

it('answers a HEAD', async () => {
  const response = await fetch(`http://127.0.0.1:${front.port}/api/v1/live`, { method: 'HEAD' })
  expect([response.status, feed.size]).toEqual([200, 0])
})
