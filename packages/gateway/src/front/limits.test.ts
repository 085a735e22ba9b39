import { Agent, get as httpGet } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { manualClock } from '@stickler/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { echo, RawClient, rawRequest, sendRaw, startFront, type TestFront, until } from '../testing/http-front.ts'
import type { Handler } from './exchange.ts'
import { sendJson } from './replies/json-response.ts'

const limit = 10_000
let front: TestFront
let release: () => void = () => undefined
const slow: Handler = async (exchange) => {
  await new Promise<void>((resolve) => {
    const before = release
    release = () => {
      before()
      resolve()
    }
  })
  sendJson(exchange, 200, {})
}

beforeAll(async () => {
  front = await startFront(
    [
      echo('POST', '/echo'),
      echo('GET', '/thing'),
      echo('GET', '/alive', { access: 'open' }),
      { method: 'GET', path: '/slow', access: 'read', handler: slow },
      { method: 'GET', path: '/big', access: 'read', handler: async (exchange) => sendJson(exchange, 200, 'x'.repeat(30_000_000)) },
    ],
    {
      keys: '',
      settings: {
        maxBodyBytes: limit,
        maxInFlight: 3,
        headersTimeoutMs: 200,
        requestTimeoutMs: 400,
        writeIdleMs: 200,
        maxTargetLength: 4000,
      },
    },
  )
})
afterAll(() => front.close())

const json = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n`
const head = (headers: readonly string[]) => `${['POST /echo HTTP/1.1', 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

describe('size of the body', () => {
  const cases: [name: string, status: number, bytes: string][] = [
    ['at the limit', 200, rawRequest('POST', '/echo', [], json(limit))],
    ['one more', 413, rawRequest('POST', '/echo', [], json(limit + 1))],
    ['one more, of which nothing comes', 413, head([`Content-Length: ${limit + 1}`])],
    ['chunked at the limit', 200, `${head(['Transfer-Encoding: chunked'])}${chunked(json(limit))}0\r\n\r\n`],
    ['chunked, one more', 413, `${head(['Transfer-Encoding: chunked'])}${chunked(json(limit + 1))}0\r\n\r\n`],
    ['chunked, one more, without end', 413, `${head(['Transfer-Encoding: chunked'])}${chunked(json(limit + 1))}`],
    ['far more', 413, rawRequest('POST', '/echo', [], json(3_000_000))],
  ]
  it.each(cases)('%s: %i', async (_name, status, bytes) => {
    const [answer] = await sendRaw(front.port, bytes, 1)
    expect(answer?.status).toBe(status)
    if (status === 413) {
      expect(answer?.headers.get('connection')).toBe('close')
      expect(JSON.parse(answer?.body ?? '').error).toEqual({
        message: `The body is larger than ${limit} bytes.`,
        type: 'request_too_large',
        param: null,
        code: 'body_too_large',
      })
    }
  })

  // The server waits a second before it closes these connections.
  it.concurrent('a body without end is answered at once and then cut off', async () => {
    const client = new RawClient(front.port).send(head(['Transfer-Encoding: chunked']))
    const timer = setInterval(() => client.send(chunked('x'.repeat(5000))), 5)
    const answers = await client.end()
    clearInterval(timer)
    expect(answers.map(({ status }) => status)).toEqual([413])
  })

  it.concurrent.each([
    ['a body', rawRequest('POST', '/echo', [], json(100_000)).slice(0, 50_000), 413],
    ['bytes that are no request', rawRequest('GET', '/thing', [`x-a: ${'x'.repeat(20_000)}`]), 431],
  ])('the connection stays a moment for a client that still writes %s, so that it can read its answer', async (_name, bytes, status) => {
    const client = new RawClient(front.port, { allowHalfOpen: true }).send(bytes)
    expect((await client.answers(1)).map((answer) => answer.status)).toEqual([status])
    for (let index = 0; index < 5; index++) {
      await wait(20)
      client.send('x')
    }
    expect(client.closed).toBe(false)
    client.socket.end()
    await client.end()
  })

  it('a large body on a GET route ends the connection', async () => {
    const answers = await sendRaw(front.port, `GET /thing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\nx`)
    expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[200, 'close']])
  })

  it.concurrent.each([
    ['too large', 413, [`Content-Length: ${limit + 1}`]],
    ['compressed', 415, ['Content-Length: 5', 'Content-Encoding: gzip']],
    ['of another type', 415, ['Content-Length: 5', 'Content-Type: text/plain']],
  ])('who asks before sending a body that is %s gets %i and no 100', async (_name, status, headers) => {
    const client = new RawClient(front.port).send(head(['Expect: 100-continue', ...headers]))
    await client.answers(1)
    expect(client.received.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(await client.end()).toMatchObject([{ status, headers: expect.any(Map) }])
  })

  it('who asks before sending a good body is told to go on', async () => {
    const client = new RawClient(front.port).send(head(['Expect: 100-continue', 'Content-Length: 7']))
    await until(() => client.received.toString() === 'HTTP/1.1 100 Continue\r\n\r\n')
    client.send('{"a":1}')
    expect((await client.answers(1)).map(({ status }) => status)).toEqual([200])
    client.socket.destroy()
  })

  it('other expectations: 417', async () => {
    expect((await sendRaw(front.port, head(['Expect: wonders', 'Content-Length: 2']), 1))[0]?.status).toBe(417)
  })
})

describe('type of the body', () => {
  const types: [status: number, headers: string[]][] = [
    [200, []],
    [200, ['Content-Type: application/json']],
    [200, ['Content-Type: Application/JSON; charset=utf-8']],
    [200, ['Content-Type: application/problem+json']],
    [200, ['Content-Encoding: identity']],
    [415, ['Content-Type: text/plain']],
    [415, ['Content-Type: application/x-www-form-urlencoded']],
    [415, ['Content-Type: multipart/form-data; boundary=application/json']],
    [415, ['Content-Type: application/jsonx']],
    [415, ['Content-Type: ']],
    [415, ['Content-Encoding: br']],
    [415, ['Content-Encoding: identity, gzip']],
    [400, ['Content-Type: application/json', 'Content-Type: text/plain']],
    [400, ['Content-Encoding: identity', 'Content-Encoding: gzip']],
  ]
  it.each(types)('%i for %j', async (status, headers) => {
    expect((await sendRaw(front.port, rawRequest('POST', '/echo', headers, '{}'), 1))[0]?.status).toBe(status)
  })

  it('a bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000, 'x'))
    const headers = head(['Content-Encoding: gzip', `Content-Length: ${bomb.length}`])
    expect((await sendRaw(front.port, Buffer.concat([Buffer.from(headers), bomb]), 1))[0]?.status).toBe(415)
  })
})

describe('size of the head', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: b`)
  const cases: [name: string, status: number, bytes: string][] = [
    ['a long URL', 200, rawRequest('GET', `/thing?${'x'.repeat(3900)}`)],
    ['a longer URL', 414, rawRequest('GET', `/thing?${'x'.repeat(4000)}`)],
    ['a URL of 20 kB', 414, rawRequest('GET', `/thing?${'x'.repeat(20_000)}`)],
    ['a URL of 100 kB', 414, rawRequest('GET', `/thing?${'x'.repeat(100_000)}`)],
    ['a header of 15 kB', 200, rawRequest('GET', '/thing', [`x-a: ${'x'.repeat(15_000)}`])],
    ['a header of 20 kB', 431, rawRequest('GET', '/thing', [`x-a: ${'x'.repeat(20_000)}`])],
    ['a header of 300 kB', 431, rawRequest('GET', '/thing', [`x-a: ${'x'.repeat(300_000)}`])],
    [
      'headers of 20 kB',
      431,
      rawRequest(
        'GET',
        '/thing',
        Array.from({ length: 100 }, (_, index) => `a${index}: ${'b'.repeat(200)}`),
      ),
    ],
    ['127 headers', 200, rawRequest('GET', '/thing', many(127))],
    ['129 headers', 431, rawRequest('GET', '/thing', many(128))],
    ['2000 headers', 431, rawRequest('GET', '/thing', many(2000))],
  ]
  it.each(cases)('%s: %i', async (_name, status, bytes) => {
    const [answer] = await sendRaw(front.port, bytes, 1)
    expect(answer?.status).toBe(status)
    expect(JSON.parse(answer?.body ?? '')).toHaveProperty(status === 200 ? 'path' : 'error.code')
  })
})

describe('time', () => {
  it('headers that do not come: 408', async () => {
    const clients = Array.from({ length: 50 }, () => new RawClient(front.port).send('GET /thing HTTP/1.1\r\nHost: localhost\r\nX-A: '))
    const timer = setInterval(() => {
      for (const { socket } of clients) if (socket.writable) socket.write('a')
    }, 50)
    const [healthy] = await sendRaw(front.port, rawRequest('GET', '/thing'), 1)
    expect(healthy?.status).toBe(200)
    for (const client of clients) expect((await client.end()).map(({ status }) => status)).toEqual([408])
    clearInterval(timer)
  })

  it('a connection on which nothing comes is closed', async () => {
    await new RawClient(front.port).end()
  })

  it('a body that does not come: 408', async () => {
    const client = new RawClient(front.port).send(head(['Content-Length: 100']))
    const timer = setInterval(() => client.send('x'), 50)
    expect((await client.end()).map(({ status }) => status)).toEqual([408])
    clearInterval(timer)
    await until(() => front.server.inFlight === 0)
  })

  it('a client that does not read its answer is cut off and frees its slot', async () => {
    const client = new RawClient(front.port)
    client.socket.pause()
    client.send(rawRequest('GET', '/big'))
    await until(() => front.server.inFlight === 1)
    await until(() => front.server.inFlight === 0)
    expect(front.answered.at(-1)).toMatchObject({ route: '/big', status: 200, aborted: true })
    client.socket.destroy()
  })

  it('a client that reads its large answer gets it, and may use the connection again', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const get = (path: string) =>
      new Promise<[length: number, reused: boolean]>((resolve, reject) => {
        const request = httpGet({ port: front.port, path, agent, headers: { host: 'localhost' } }, async (answer) => {
          let length = 0
          for await (const chunk of answer) length += chunk.length
          resolve([length, request.reusedSocket])
        }).on('error', reject)
      })
    expect(await get('/big')).toEqual([30_000_002, false])
    await wait(400)
    expect(await get('/thing')).toEqual([expect.any(Number), true])
    agent.destroy()
  })
})

describe('requests at once', () => {
  it('beyond the cap: 503, no queue; liveness goes on; afterwards all is well', async () => {
    const waiting = Array.from({ length: 3 }, () => new RawClient(front.port).send(rawRequest('GET', '/slow')))
    await until(() => front.server.inFlight === 3)
    const refused = await Promise.all(Array.from({ length: 200 }, () => sendRaw(front.port, rawRequest('GET', '/thing'), 1)))
    for (const [answer] of refused) {
      expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '1'])
      expect(JSON.parse(answer?.body ?? '').error).toMatchObject({ type: 'overloaded_error', code: 'overloaded', param: null })
    }
    expect((await sendRaw(front.port, rawRequest('GET', '/alive'), 1))[0]?.status).toBe(200)
    expect(front.server.inFlight).toBe(3)
    release()
    for (const client of waiting) {
      expect((await client.answers(1)).map(({ status }) => status)).toEqual([200])
      client.socket.destroy()
    }
    expect((await sendRaw(front.port, rawRequest('GET', '/thing'), 1))[0]?.status).toBe(200)
    await until(() => front.server.inFlight === 0)
  })

  it('pipelined requests count, too', async () => {
    const client = new RawClient(front.port).send(rawRequest('GET', '/slow').repeat(3) + rawRequest('GET', '/thing').repeat(4))
    await until(() => front.server.inFlight === 3)
    release()
    expect((await client.answers(7)).map(({ status }) => status)).toEqual([200, 200, 200, 503, 503, 503, 503])
    client.socket.destroy()
  })
})

describe('connections', () => {
  it('beyond the cap, the oldest without a request gives way, of the address with the most', async () => {
    const capped = await startFront([echo('GET', '/thing'), { method: 'GET', path: '/slow', access: 'read', handler: slow }], {
      settings: { maxConnections: 3 },
    })
    try {
      const busy = new RawClient(capped.port).send(rawRequest('GET', '/slow'))
      await until(() => capped.server.inFlight === 1)
      const idle = Array.from({ length: 6 }, () => new RawClient(capped.port))
      expect((await sendRaw(capped.port, rawRequest('GET', '/thing'), 1)).map(({ status }) => status)).toEqual([200])
      await until(() => idle.filter(({ closed }) => closed).length >= 5)
      expect(busy.closed).toBe(false)
      release()
      expect((await busy.answers(1)).map(({ status }) => status)).toEqual([200])
      for (const { socket } of [busy, ...idle]) socket.destroy()
    } finally {
      await capped.close()
    }
  })
})

describe('callers', () => {
  const keys = 'alice:alice-key-0123456789,bob:bob-key-0123456789'
  const as = (name: string) => [`authorization: Bearer ${name}-key-0123456789`]
  const held = (name: string) => `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n${as(name)}\r\n\r\n{`
  const statusOf = async (port: number, name: string, path: string): Promise<number | undefined> => {
    const bytes = path === '/echo' ? rawRequest('POST', path, as(name), '{}') : rawRequest('GET', path, as(name))
    return (await sendRaw(port, bytes, 1))[0]?.status
  }
  const routes = [echo('POST', '/echo'), echo('GET', '/thing'), { method: 'GET', path: '/slow', access: 'call', handler: slow } as const]

  it('bodies that do not come give way to another key, and slow ones to the same', async () => {
    const clock = manualClock()
    const shared = await startFront(routes, { keys, clock, settings: { maxInFlight: 8 } })
    try {
      const slowly = Array.from({ length: 8 }, () => new RawClient(shared.port).send(held('alice')))
      await until(() => shared.server.inFlight === 8)
      expect(await statusOf(shared.port, 'alice', '/echo')).toBe(503)
      for (let round = 0; round < 12; round++) expect(await statusOf(shared.port, 'bob', '/echo')).toBe(200)
      const told = slowly.filter(({ received }) => received.length > 0)
      for (const client of told) expect((await client.answers(1)).map(({ status }) => status)).toEqual([503])
      expect(told.length).toBeLessThan(8)
      await until(() => shared.server.inFlight === 8 - told.length)
      for (let index = 0; index < told.length; index++) slowly.push(new RawClient(shared.port).send(held('alice')))
      await until(() => shared.server.inFlight === 8)
      clock.advance(2100)
      expect(await statusOf(shared.port, 'alice', '/echo')).toBe(200)
      for (const { socket } of slowly) socket.destroy()
    } finally {
      await shared.close()
    }
  })

  it('places that one key has are not all there are, and one key may have at most its own', async () => {
    const shared = await startFront(routes, { keys, settings: { maxInFlight: 8 } })
    try {
      const ask = (name: string) => new RawClient(shared.port).send(rawRequest('GET', '/slow', as(name)))
      const alice = Array.from({ length: 8 }, () => ask('alice'))
      await until(() => shared.server.inFlight === 8)
      expect(await statusOf(shared.port, 'alice', '/slow')).toBe(503)
      expect(await statusOf(shared.port, 'bob', '/thing')).toBe(200)
      const bob = ask('bob')
      await until(() => shared.server.inFlight === 9)
      expect(await statusOf(shared.port, 'bob', '/slow')).toBe(503)
      release()
      for (const client of [...alice, bob]) expect((await client.answers(1)).map(({ status }) => status)).toEqual([200])
      shared.server.configure({ maxInFlight: 8, maxCallsPerCaller: 2 })
      const two = [ask('alice'), ask('alice')]
      await until(() => shared.server.inFlight === 2)
      const [refused] = await sendRaw(shared.port, rawRequest('GET', '/slow', as('alice')), 1)
      expect([refused?.status, refused?.headers.get('retry-after'), refused?.headers.get('x-should-retry')]).toEqual([429, '1', 'true'])
      expect(JSON.parse(refused?.body ?? '').error).toMatchObject({
        type: 'rate_limit_error',
        code: 'concurrency_exceeded',
        message: expect.stringMatching(/^This caller has \d+ requests in progress/),
      })
      expect(await statusOf(shared.port, 'alice', '/thing')).toBe(200)
      const other = ask('bob')
      await until(() => shared.server.inFlight === 3)
      release()
      for (const client of [...two, other]) expect((await client.answers(1)).map(({ status }) => status)).toEqual([200])
      for (const { socket } of [...alice, bob, ...two, other]) socket.destroy()
    } finally {
      await shared.close()
    }
  })
})
