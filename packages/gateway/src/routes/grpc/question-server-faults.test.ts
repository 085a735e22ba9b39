import { connect } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { gzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import type { AskReply } from '@stickler/ask'
import { HttpError } from '@stickler/core/internal/apis'
import { afterEach, describe, expect, test } from 'vitest'
import { grpcClient } from './testing/grpc-client.ts'
import { endless, type Script, saying, serveGrpc } from './testing/serve-grpc.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
const serve = (script: Script) => serveGrpc(script, closing)

const textOf = (messages: readonly { readonly text: string }[]): string => messages.map(({ text }) => text).join('')

describe('failures', () => {
  const refusal = (http: number, more: object = {}): AskReply => ({ ok: false, status: http, error: `what ${http} means`, ...more })
  test.each<[string, AskReply, number]>([
    ['a provider that is down', refusal(503, { retryAfterMs: 1500 }), status.UNAVAILABLE],
    ['a provider that fails', refusal(502), status.UNAVAILABLE],
    ['a provider that is slow', refusal(504), status.DEADLINE_EXCEEDED],
    ['a provider with a rate limit', refusal(429), status.RESOURCE_EXHAUSTED],
    ['a provider that refuses our key', refusal(502, { failure: { kind: 'http', message: '', status: 401 } }), status.FAILED_PRECONDITION],
    ['a prompt that is too long', refusal(413, { limit: 'max_prompt_tokens' }), status.INVALID_ARGUMENT],
    ['a day that was too dear', refusal(413, { limit: 'daily_cost_cap_usd' }), status.RESOURCE_EXHAUSTED],
    ['time that is over', refusal(504, { limit: 'timeout_ms' }), status.DEADLINE_EXCEEDED],
    ['an answer that cannot be used', refusal(422), status.FAILED_PRECONDITION],
  ])('%s', async (_, reply, code) => {
    const { client } = await serve({
      answer: async function* () {
        yield 'Half an '
        return reply
      },
    })
    const whole = await client.ask('AskAgent', 'Why?')
    expect(whole).toMatchObject({ code, messages: [], details: `what ${reply.status} means`, trailers: { 'x-request-id': 'id-1' } })
    // Nothing was sent before, so that clients may retry by themselves.
    expect(whole.headers).toEqual({})
    if (code === status.UNAVAILABLE && reply.status === 503)
      expect(whole.trailers).toMatchObject({ 'retry-after': '2', 'grpc-retry-pushback-ms': '1500' })
    const streamed = await client.ask('AskAgentStream', 'Why?')
    expect(streamed.code).toBe(code)
    expect(streamed.messages.every(({ isFinal }) => !isFinal)).toBe(true)
  })

  test.each<[string, unknown, number, RegExp]>([
    [
      'a budget',
      new HttpError(429, 'The daily budget of this key is used up.', { headers: { 'retry-after': '60' } }),
      status.RESOURCE_EXHAUSTED,
      /^The daily budget/,
    ],
    ['a store that is full', new HttpError(503, 'Answers cannot be recorded.'), status.UNAVAILABLE, /^Answers/],
    [
      'what nobody expected',
      new TypeError('secret /etc/path \ud800'),
      status.INTERNAL,
      /^Internal error in the gateway; the request id is id-1\.$/,
    ],
  ])('%s, thrown', async (_, thrown, code, details) => {
    const { client, ended } = await serve({
      // biome-ignore lint/correctness/useYield: it fails before.
      answer: async function* () {
        throw thrown
      },
    })
    const reply = await client.ask('AskAgentStream', 'Why?')
    expect([reply.code, reply.messages]).toEqual([code, []])
    expect(reply.details).toMatch(details)
    await expect
      .poll(() => ended[0]?.end)
      .toEqual(code === status.INTERNAL ? { status: 500, thrown } : { status: (thrown as HttpError).status })
  })
})

describe('clients that leave', () => {
  test('a cancelled call ends the work, before and after the first token', async () => {
    const stopped = { count: 0, reasons: [] as unknown[] }
    const { client, asked, server, ended } = await serve({ answer: endless(stopped) })
    const late = await client.ask('AskAgentStream', 'On and on?', '', { onMessage: (_message, cancel) => cancel() })
    expect(late.code).toBe(status.CANCELLED)
    await expect.poll(() => stopped.count).toBe(1)
    const early = client.ask('AskAgent', 'On and on?', '', { deadlineMs: 200 })
    expect((await early).code).toBe(status.DEADLINE_EXCEEDED)
    await expect.poll(() => stopped.count).toBe(2)
    expect(asked).toHaveLength(2)
    await expect.poll(() => [server.inFlight, ended.map(({ end }) => end.status)]).toEqual([0, [499, 499]])
  })

  test('a slow reader holds the work back, and is cut off when it never reads', async () => {
    let made = 0
    const piece = 'x'.repeat(32 * 1024)
    const stopped = { count: 0, reasons: [] as unknown[] }
    const endlessly = endless(stopped, piece)
    const { server, ended } = await serve({
      options: { writeIdleMs: 300 },
      answer: async function* (question, caller) {
        const steps = endlessly(question, caller)
        try {
          for (;;) {
            const step = await steps.next()
            if (step.done) return step.value
            made++
            yield step.value
          }
        } finally {
          await steps.return({ ok: false, status: 499, error: '' })
        }
      },
    })
    const session = connect(server.url.replace('grpc', 'http'), { settings: { initialWindowSize: 1000 } })
    closing.push(() => session.destroy())
    session.on('error', () => {})
    const stream = session.request({
      ':method': 'POST',
      ':path': '/brunix.AssistanceEngine/AskAgentStream',
      'content-type': 'application/grpc',
      te: 'trailers',
    })
    stream.on('error', () => {})
    stream.pause()
    stream.end(Buffer.from([0, 0, 0, 0, 3, 0x0a, 1, 0x71]))
    await expect.poll(() => ended.map(({ end }) => end.status), { timeout: 10_000 }).toEqual([499])
    expect(stopped.count).toBe(1)
    expect(made).toBeLessThan(60)
    expect(server.inFlight).toBe(0)
  })
})

describe('load and end', () => {
  test('calls over the limit are told to come back, and there is room again afterwards', async () => {
    const stopped = { count: 0, reasons: [] as unknown[] }
    const { client, asked } = await serve({ answer: endless(stopped), options: { inFlight: () => 2 } })
    const held = ['a', 'b'].map((query) => client.ask('AskAgentStream', query, '', { deadlineMs: 700 }))
    await expect.poll(() => asked.length).toBe(2)
    expect(await client.ask('AskAgent', 'c')).toMatchObject({ code: status.UNAVAILABLE, trailers: { 'retry-after': '1' }, headers: {} })
    await Promise.all(held)
    await expect.poll(async () => (await client.ask('AskAgent', 'd', '', { deadlineMs: 100 })).code).toBe(status.DEADLINE_EXCEEDED)
  })

  test('callers with less than their share get a place beyond the limit, and no caller more than its own limit', async () => {
    const stopped = { count: 0, reasons: [] as unknown[] }
    const keys = 'alice:alice-key-0123456789,bob:bob-key-0123456789'
    const as = (name: string) => ({ metadata: { authorization: `Bearer ${name}-key-0123456789` }, deadlineMs: 1500 })
    let perCaller: number | undefined
    const { client, asked } = await serve({ answer: endless(stopped), keys, options: { inFlight: () => 2, perCaller: () => perCaller } })
    const held = ['a', 'b'].map((query) => client.ask('AskAgentStream', query, '', as('alice')))
    await expect.poll(() => asked.length).toBe(2)
    expect(await client.ask('AskAgent', 'c', '', as('alice'))).toMatchObject({ code: status.UNAVAILABLE })
    held.push(client.ask('AskAgentStream', 'd', '', as('bob')))
    await expect.poll(() => asked.map(({ caller }) => caller.caller)).toEqual(['alice', 'alice', 'bob'])
    perCaller = 2
    const refused = await client.ask('AskAgent', 'e', '', as('alice'))
    expect(refused).toMatchObject({ code: status.RESOURCE_EXHAUSTED, trailers: { 'retry-after': '1', 'grpc-retry-pushback-ms': '1000' } })
    await Promise.all(held)
  })

  test('many streams at once are all answered', async () => {
    const pieces = Array.from({ length: 50 }, (_, index) => `${index} `)
    const { server } = await serve({ answer: saying(pieces), options: { inFlight: () => 500 } })
    const clients = Array.from({ length: 5 }, () => grpcClient(server.url))
    closing.push(() => clients.map((one) => one.close()))
    const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => clients[index % 5]?.ask('AskAgentStream', `q${index}`)))
    for (const reply of replies) expect([reply?.code, textOf(reply?.messages ?? [])]).toEqual([0, pieces.join('')])
  })

  test('a draining server finishes what runs and refuses what comes; what outlasts the grace is told', async () => {
    const stopped = { count: 0, reasons: [] as unknown[] }
    const { client, server, asked, ended: calls } = await serve({ answer: endless(stopped) })
    const running = client.ask('AskAgentStream', 'On and on?')
    await expect.poll(() => asked.length).toBe(1)
    server.drain()
    expect(await client.ask('AskAgent', 'Late?')).toMatchObject({
      code: status.UNAVAILABLE,
      details: expect.stringContaining('shutting down'),
    })
    await server.close(100)
    // What is left is noted before anything else is closed.
    expect([stopped.count, calls.at(-1)?.end.status]).toEqual([1, 503])
    const ended = await running
    expect([ended.code, ended.details]).toEqual([status.UNAVAILABLE, 'The gateway is shutting down; try again in a moment.'])
    expect(ended.messages.every(({ isFinal }) => !isFinal)).toBe(true)
  })

  test('a port that is taken is refused in one sentence', async () => {
    const { server } = await serve({ answer: saying([]) })
    await expect(serve({ answer: saying([]), options: { port: Number(server.url.split(':').at(-1)) } })).rejects.toThrow(
      /^grpc: cannot listen on 127\.0\.0\.1:\d+: the port is in use; choose another with --port or in the configuration$/,
    )
  })

  test('bytes of another protocol end their own connection alone', async () => {
    const { server, client } = await serve({ answer: saying(['Hi.']) })
    for (const bytes of ['GET / HTTP/1.1\r\nhost: x\r\n\r\n', '\x16\x03\x01\x02\x00'.repeat(50), '\0'.repeat(1000)]) {
      const socket = connectTcp(Number(server.url.split(':').at(-1)), '127.0.0.1')
      socket.on('error', () => {})
      socket.end(bytes)
      await new Promise((resolve) => socket.on('close', resolve).resume())
    }
    expect(await client.ask('AskAgent', 'Still there?')).toMatchObject({ code: status.OK })
  })

  test('metadata that is huge or malformed, and messages that unpack to gigabytes, end their own call alone', async () => {
    const { server, client, asked } = await serve({ answer: saying(['Hi.']) })
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const ended = await Promise.all([
      rawCall(server.url, { 'x-api-key': 'x'.repeat(100_000) }),
      rawCall(server.url, Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, 'y'.repeat(100)]))),
      rawCall(server.url, { 'grpc-timeout': 'soon' }),
      rawCall(server.url, { 'grpc-encoding': 'gzip' }, framed(bomb, 1)),
      rawCall(server.url, { 'grpc-encoding': 'gzip' }, framed(Buffer.from('not gzip'), 1)),
      rawCall(server.url, { 'grpc-encoding': 'br' }, framed(Buffer.from('x'), 1)),
      rawCall(server.url, {}, Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 0])),
    ])
    expect(ended.every((code) => code !== '0')).toBe(true)
    expect(ended[3]).toBe(String(status.RESOURCE_EXHAUSTED))
    expect(asked).toEqual([])
    // Headers with line breaks are dropped, and an id that is not well formed is replaced.
    expect(await rawCall(server.url, { 'x-request-id': 'a\r\nb: c' })).toBe('0')
    expect(await client.ask('AskAgent', 'Still there?', '', { metadata: { 'x-request-id': 'no good id' } })).toMatchObject({
      code: status.OK,
    })
    expect(asked.map(({ caller }) => caller.requestId)).toEqual([expect.stringMatching(/^id-\d+$/), expect.stringMatching(/^id-\d+$/)])
  })
})

/** A message with its prefix. */
function framed(message: Buffer, compressed = 0): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt8(compressed)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

/** Calls with any headers and bytes; resolves to the status, or to how the stream ended without any. */
function rawCall(url: string, headers: Readonly<Record<string, string>>, body = framed(Buffer.from([0x0a, 1, 0x71]))): Promise<string> {
  const session = connect(url.replace('grpc', 'http'))
  closing.push(() => session.destroy())
  return new Promise((resolve) => {
    session.on('error', (error) => resolve(String(error)))
    try {
      const path = '/brunix.AssistanceEngine/AskAgent'
      const stream = session.request({ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers', ...headers })
      let code = 'none'
      const note = (given: Readonly<Record<string, unknown>>): void => {
        if (given['grpc-status'] !== undefined) code = String(given['grpc-status'])
      }
      stream.on('response', note).on('trailers', note)
      stream.on('error', (error) => resolve(String(error)))
      stream.on('close', () => resolve(code))
      stream.resume()
      stream.end(body)
    } catch (error) {
      resolve(String(error))
    }
  })
}
