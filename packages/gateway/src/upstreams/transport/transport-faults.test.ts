import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Behaviour, closedPort, type ProgrammableUpstream, startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import {
  bomb,
  breakingOff,
  closingAfter,
  dripping,
  endingEarly,
  endless,
  endlessStream,
  failing,
  fallingSilent,
  hangUp,
  lyingEncoding,
  rawResponse,
  redirecting,
  reset,
  servingOnce,
  shortBody,
  silence,
  stalling,
} from '../../testing/programmable-upstream-faults.ts'
import { asking, calling, readFirst } from '../../testing/programmable-upstream-reading.ts'
import { openaiUpstream } from '../kinds/openai-upstream.ts'
import type { Upstream } from '../upstream.ts'

const key = 'sk-canary-0123456789'
const day = Date.parse('Sun, 15 Nov 2026 00:00:00 GMT')
const odd = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nset-cookie: a=b\r\nconnection: close, x-hop\r\nx-hop: 1\r\n\r\n`

let server: ProgrammableUpstream
let upstream: Upstream
let hasty: Readonly<Record<'firstByte' | 'idle' | 'total', Upstream>>

beforeAll(async () => {
  server = await startProgrammableUpstream(silence)
  const settings = { name: 'main', baseUrl: `${server.url}/v1`, apiKey: key, maxResponseBytes: 1_000_000 }
  upstream = openaiUpstream(settings, { today: () => day })
  // Each meets only one limit: on a busy machine what comes every 30 ms is late by far more.
  const patient = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 120_000 }
  const limited = (timeouts: object): Upstream => openaiUpstream({ ...settings, timeouts: { ...patient, ...timeouts } })
  hasty = { firstByte: limited({ firstByteMs: 600 }), idle: limited({ idleMs: 800 }), total: limited({ totalMs: 1000 }) }
})
afterAll(async () => {
  await Promise.all([upstream, ...Object.values(hasty)].map((one) => one.close()))
  await server.close()
})

interface Expected {
  readonly kind: string
  readonly message?: RegExp
  readonly details?: object
}

async function fail(behaviour: Behaviour, stream: boolean, expected: Expected, through = upstream): Promise<void> {
  server.enqueue(behaviour)
  const { failure, end } = await readFirst(through.call(asking('hi', { stream }), calling()))
  expect(failure).toMatchObject({ kind: expected.kind, ...(expected.details ? { details: expected.details } : {}) })
  expect(failure?.message).toMatch(expected.message ?? /./)
  expect(failure?.message.length).toBeLessThan(500)
  expect(end).toBeUndefined()
  expect(JSON.stringify([failure, failure?.message, failure?.stack, String(failure?.details.cause)])).not.toContain(key)
}

describe('time limits', () => {
  it.each<[string, Behaviour, boolean, 'firstByte' | 'idle' | 'total', RegExp]>([
    ['no answer at all', silence, false, 'firstByte', /no answer within 600 ms/],
    ['no answer at all to a stream', silence, true, 'firstByte', /no answer within 600 ms/],
    ['headers of a stream, then nothing', fallingSilent('x', 0), true, 'firstByte', /no answer within 600 ms/],
    ['half a body, then nothing', stalling(), false, 'idle', /nothing for 800 ms/],
    ['some events, then nothing', fallingSilent('a long text', 2), true, 'idle', /nothing for 800 ms/],
    ['a byte now and then', dripping('x'.repeat(100), 30), false, 'total', /longer than 1000 ms/],
    ['an error with a body that stalls', ({ response }) => void response.writeHead(500).write('half'), false, 'idle', /status 500: half/],
  ])('%s', async (_, behaviour, stream, limit, message) => {
    await fail(behaviour, stream, { kind: message.source.includes('status') ? 'http' : 'timeout', message }, hasty[limit])
    await server.requests.at(-1)?.closed
    expect(server.requests.at(-1)?.aborted).toBe(true)
  })

  it('the deadline of the caller counts too', async () => {
    server.enqueue(silence)
    const { failure } = await readFirst(upstream.call(asking('hi'), calling({ timeLeftMs: 50 })))
    expect(failure).toMatchObject({ kind: 'deadline' })
  })

  it('a reader that takes its time is not the fault of the provider', async () => {
    server.enqueue(answering('one two', { chunks: ['one ', 'two'], delayMs: 320 }))
    let text = ''
    for await (const event of hasty.idle.call(asking('hi', { stream: true }), calling()).choices[0] ?? []) {
      if (event.type === 'text') text += event.text
      await new Promise((resolve) => setTimeout(resolve, 1040))
    }
    expect(text).toBe('one two')
  })
})

describe('connections that break', () => {
  it.each<[string, Behaviour, boolean, string]>([
    ['hung up before an answer', hangUp, false, 'connection'],
    ['reset before an answer', reset, true, 'connection'],
    ['reset in a stream', breakingOff('a long text', 3), true, 'connection'],
    ['body shorter than declared', shortBody('{"choices":[', 1000), false, 'connection'],
    ['no HTTP', rawResponse('SSH-2.0-OpenSSH_9.0\r\n'), false, 'protocol'],
    ['huge headers', rawResponse(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(50_000)}\r\n\r\n`), false, 'protocol'],
    ['line breaks in a header', rawResponse('HTTP/1.1 200 OK\r\nx: a\rb: c\r\n\r\n'), false, 'protocol'],
  ])('%s', async (_, behaviour, stream, kind) => {
    // On a fresh connection each: one that was kept would be tried twice.
    server.closeIdle()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await fail(behaviour, stream, { kind })
  })

  it('a closed port', async () => {
    const nobody = openaiUpstream({ name: 'nobody', baseUrl: await closedPort(), apiKey: key })
    expect((await readFirst(nobody.call(asking('hi'), calling()))).failure).toMatchObject({ kind: 'connection' })
    expect(await nobody.probe?.(new AbortController().signal)).toMatchObject({ ok: false, kind: 'connection' })
    await nobody.close()
  })

  it('one that breaks after the end of the answer takes nothing away', async () => {
    server.enqueue(breakingOff('all of it', 4))
    expect(await readFirst(upstream.call(asking('hi', { stream: true }), calling()))).toMatchObject({
      text: 'all of it',
      end: { finishReason: 'stop' },
    })
  })

  it('odd headers of a response do no harm', async () => {
    server.enqueue(rawResponse(`${odd}{"choices":[{"message":{"content":"x"}}]}`))
    expect(await readFirst(upstream.call(asking('hi'), calling()))).toMatchObject({ text: 'x', failure: undefined })
  })
})

describe('answers that make no sense', () => {
  it.each<[string, Behaviour, boolean, RegExp]>([
    ['HTML', answeringBody(`<html>${'x'.repeat(10_000)}${key}`, { contentType: 'text/html' }), false, /not a JSON object: <html>/],
    ['HTML in place of a stream', answeringBody('<html>hi</html>', { contentType: 'text/html' }), true, /not a JSON object: <html>/],
    ['plain text in place of a stream', answeringBody(`hello ${key}`, { contentType: 'text/plain' }), true, /not an event stream: hello/],
    ['empty', answeringBody(''), false, /is empty/],
    ['empty stream', answeringBody('', { contentType: 'text/event-stream' }), true, /is empty/],
    ['truncated JSON', answeringBody('{"choices":[{"message":{"content":"x'), false, /not a JSON object/],
    ['an event that is no JSON', answeringEvents(['{"choices":', 'nonsense']), true, /not a JSON object/],
    ['a stream without an end', endingEarly('a long text', 3), true, /ended before the answer did/],
    ['a stream that only says it is done', answeringEvents([]), true, /no choice/],
    ['gzip that is none', lyingEncoding('gzip'), false, /not encoded as its header says/],
    ['br that is none', lyingEncoding('br'), false, /not encoded as its header says/],
    ['an unknown encoding', lyingEncoding('zstd, gzip'), false, /not requested/],
    ['too large', answering('x'.repeat(1_100_000)), false, /larger than 1000000 bytes/],
    ['endless', endless('application/json', ' '.repeat(10_000)), false, /larger than/],
    ['endless stream', endlessStream, true, /larger than/],
    ['endless comments', endless('text/event-stream', `: ${'x'.repeat(1000)}\n\n`), true, /larger than/],
    ['one endless event', endless('text/event-stream', `data: ${'x'.repeat(9000)}`), true, /larger than/],
    ['a bomb', bomb(200_000_000), false, /larger than/],
  ])('%s', async (_, behaviour, stream, message) => {
    await fail(behaviour, stream, { kind: 'protocol', message })
  })

  it.each(['gzip', 'br', 'deflate', 'deflate-raw'] as const)('%s is decoded though nobody asked for it', async (encoding) => {
    for (const stream of [false, true]) {
      server.enqueue(answering('packed', { encoding }))
      expect(await readFirst(upstream.call(asking('hi', { stream }), calling()))).toMatchObject({ text: 'packed', failure: undefined })
    }
  })
})

describe('error status', () => {
  it.each<[string, number, Record<string, string>, number | undefined]>([
    ['seconds', 429, { 'retry-after': '1' }, 1000],
    ['milliseconds', 429, { 'retry-after-ms': '20', 'retry-after': '1' }, 20],
    ['a date', 503, { 'retry-after': 'Sun, 15 Nov 2026 00:00:07 GMT' }, 7000],
    ['a day', 429, { 'retry-after': '86400' }, 86_400_000],
    ['garbage', 429, { 'retry-after': 'soon 5' }, undefined],
    ['nothing', 400, {}, undefined],
  ])('retry-after with %s', async (_, status, headers, retryAfterMs) => {
    server.enqueue(failing(status, headers, `key ${key} is wrong`))
    const { failure } = await readFirst(upstream.call(asking('hi'), calling()))
    expect(failure).toMatchObject({ kind: 'http', message: expect.stringContaining('key [redacted] is wrong') })
    expect(failure?.details).toMatchObject({ status })
    expect(failure?.details.retryAfterMs).toBe(retryAfterMs)
    expect(JSON.stringify(failure)).not.toContain(key)
  })

  it('an error event in a stream', async () => {
    await fail(answeringEvents([{ error: { message: 'overloaded', code: 529 } }]), true, { kind: 'http', details: { status: 529 } })
  })

  it.each([301, 302, 307, 308])('redirect %i is not followed', async (status) => {
    const other = await startProgrammableUpstream(answering('stolen'))
    await fail(redirecting(status, `${other.url}/v1/chat/completions`), false, {
      kind: 'http',
      message: /not followed/,
      details: { status },
    })
    expect(other.connections).toBe(0)
    await other.close()
  })
})

describe('callers that give up', () => {
  it.each<[string, Behaviour, number]>([
    ['before an answer', silence, 0],
    ['in a stream', fallingSilent('a long text', 3), 1],
  ])('%s', async (_, behaviour, eventsFirst) => {
    server.enqueue(behaviour)
    const controller = new AbortController()
    const events = upstream
      .call(asking('hi', { stream: true }), calling({ signal: controller.signal }))
      .choices[0]?.[Symbol.asyncIterator]()
    for (let count = 0; count < eventsFirst; count++) await events?.next()
    setTimeout(() => controller.abort(new Error('gone')), 30)
    const rest = async () => {
      while ((await events?.next())?.done === false);
    }
    await expect(rest()).rejects.toMatchObject({ kind: 'aborted' })
    await server.requests.at(-1)?.closed
    expect(server.requests.at(-1)?.aborted).toBe(true)
  })

  it('are left alone when the call is over', async () => {
    const { signal } = new AbortController()
    for (const stream of [false, true]) {
      server.enqueue(answering('x'))
      await readFirst(upstream.call(asking('hi', { stream }), calling({ signal })))
    }
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('have nothing sent when they gave up before', async () => {
    const before = server.requests.length
    const { failure } = await readFirst(upstream.call(asking('hi'), calling({ signal: AbortSignal.abort() })))
    expect(failure).toMatchObject({ kind: 'aborted' })
    expect(server.requests.length).toBe(before)
  })

  it('by leaving the loop close the connection', async () => {
    server.enqueue(endlessStream)
    for await (const event of upstream.call(asking('hi', { stream: true }), calling()).choices[0] ?? []) {
      if (event.type === 'text') break
    }
    await server.requests.at(-1)?.closed
    expect(server.requests.at(-1)?.aborted).toBe(true)
  })

  it('that stop reading hold the provider back', async () => {
    const big = openaiUpstream({ name: 'big', baseUrl: server.url, maxResponseBytes: 64_000_000, timeouts: { idleMs: 50, totalMs: 5000 } })
    server.enqueue(endlessStream)
    const events = big.call(asking('hi', { stream: true }), calling()).choices[0]?.[Symbol.asyncIterator]()
    await events?.next()
    const request = server.requests.at(-1)
    while ((request?.pauses ?? 0) === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(request?.closedAt).toBeUndefined()
    await events?.return?.()
    await request?.closed
    await big.close()
  })
})

describe('kept connections', () => {
  it('are used again, also after a stream', async () => {
    const before = server.connections
    for (let count = 0; count < 6; count++) {
      server.enqueue(answering('x'))
      await readFirst(upstream.call(asking('hi', { stream: count % 2 === 0 }), calling()))
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(server.connections - before).toBeLessThanOrEqual(1)
  })

  it('that were closed in the meantime are tried once more, at once', async () => {
    server.otherwise(servingOnce(answering('x')))
    for (let count = 0; count < 5; count++) {
      expect(await readFirst(upstream.call(asking('hi'), calling()))).toMatchObject({ text: 'x', failure: undefined })
    }
  })

  it('closed at random cost no request', async () => {
    let count = 0
    server.otherwise((exchange) => (count++ % 3 === 0 ? closingAfter(answering('x'), count % 2)(exchange) : answering('x')(exchange)))
    const ask = async () => {
      for (let turn = 0; turn < 50; turn++) {
        const { failure } = await readFirst(upstream.call(asking('hi'), calling()))
        if (failure !== undefined) return failure
      }
      return undefined
    }
    expect(await Promise.all(Array.from({ length: 8 }, ask))).toEqual(Array.from({ length: 8 }, () => undefined))
    server.otherwise(silence)
  })
})
