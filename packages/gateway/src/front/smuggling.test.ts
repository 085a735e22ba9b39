import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { echo, RawClient, rawRequest, sendRaw, startFront, type TestFront } from '../testing/http-front.ts'

let front: TestFront
let handled = 0

beforeAll(async () => {
  const counted = echo('POST', '/v1/echo')
  const handler: typeof counted.handler = async (exchange) => {
    await exchange.json()
    handled++
    await counted.handler(exchange)
  }
  front = await startFront([{ ...counted, handler }, echo('GET', '/v1/things')])
})
afterAll(() => front.close())

const post = (headers: string[], body = '{"a":1}') =>
  `${['POST /v1/echo HTTP/1.1', 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`

/** Requests about whose end two readers could disagree. */
const ambiguous: [name: string, bytes: string][] = [
  ['length and chunked', post(['Content-Length: 7', 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n')],
  ['chunked and length', post(['Transfer-Encoding: chunked', 'Content-Length: 7'], '2\r\n{}\r\n0\r\n\r\n')],
  ['two lengths', post(['Content-Length: 7', 'Content-Length: 2'])],
  ['two equal lengths', post(['Content-Length: 7', 'Content-Length: 7'])],
  ['a list of lengths', post(['Content-Length: 7, 7'])],
  ['an unknown coding', post(['Transfer-Encoding: xchunked'], '2\r\n{}\r\n0\r\n\r\n')],
  ['chunked not last', post(['Transfer-Encoding: chunked, identity'], '2\r\n{}\r\n0\r\n\r\n')],
  ['a coding below chunked', post(['Transfer-Encoding: gzip, chunked'], '2\r\n{}\r\n0\r\n\r\n')],
  ['two codings', post(['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n')],
  ['a space before the colon', post(['Content-Length : 7'])],
  ['a folded header', post(['X-A: b', ' c: d', 'Content-Length: 7'])],
  ['bare line feeds', 'POST /v1/echo HTTP/1.1\nHost: localhost\nContent-Length: 7\n\n{"a":1}'],
  ['an empty length', post(['Content-Length: '])],
  ['a length with sign', post(['Content-Length: +7'])],
  ['a negative length', post(['Content-Length: -7'])],
  ['a hexadecimal length', post(['Content-Length: 0x7'])],
  ['an endless length', post([`Content-Length: ${'9'.repeat(40)}`])],
  ['a bad chunk size', post(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n')],
  ['a chunk longer than its size', post(['Transfer-Encoding: chunked'], '2\r\n{"a":1}\r\n0\r\n\r\n')],
  ['a chunk size beyond all numbers', post(['Transfer-Encoding: chunked'], `${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n`)],
  ['two hosts', post(['Host: localhost', 'Content-Length: 7'])],
  ['no host', 'POST /v1/echo HTTP/1.1\r\nContent-Length: 7\r\n\r\n{"a":1}'],
  ['a NUL in a header', post(['X-A: \0', 'Content-Length: 7'])],
  ['no version', 'POST /v1/echo\r\nHost: localhost\r\n\r\n'],
  ['a wrong version', 'POST /v1/echo HTTP/1.9\r\nHost: localhost\r\n\r\n'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown method', 'FROB /v1/echo HTTP/1.1\r\nHost: localhost\r\n\r\n'],
]

describe('requests whose end is ambiguous', () => {
  it.each(ambiguous)('%s: 400, nobody works on it', async (_name, bytes) => {
    handled = 0
    const client = new RawClient(front.port).send(Buffer.from(bytes, 'latin1'))
    const [answer] = await client.answers(1)
    expect(answer?.status).toBe(400)
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param: null, code: expect.any(String) },
    })
    expect(answer?.headers.get('x-request-id')).toMatch(/^new-\d+$/)
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff')
    expect(handled).toBe(0)
    client.socket.destroy()
  })

  it.each(ambiguous.filter(([name]) => name !== 'two hosts' && name !== 'no host'))(
    '%s: the connection is closed',
    async (_name, bytes) => {
      const follow = rawRequest('GET', '/v1/things')
      const answers = await sendRaw(front.port, Buffer.from(`${bytes}${follow}`, 'latin1'))
      expect(answers.map(({ status }) => status)).toEqual([400])
    },
  )

  it('the same without the ambiguity is answered', async () => {
    for (const bytes of [
      post(['Content-Length: 7']),
      post(['Transfer-Encoding: chunked'], '7\r\n{"a":1}\r\n0\r\n\r\n'),
      post(['transfer-encoding: Chunked'], '3;x=y\r\n{"a\r\n4\r\n":1}\r\n0\r\nTrailer: x\r\n\r\n'),
    ]) {
      const [answer] = await sendRaw(front.port, bytes, 1)
      expect(answer?.status).toBe(200)
      expect(JSON.parse(answer?.body ?? '').body).toEqual({ a: 1 })
    }
  })
})

describe('pipelining', () => {
  it('answers in order', async () => {
    const bytes = [
      rawRequest('POST', '/v1/echo', ['x-request-id: one'], '{}'),
      rawRequest('GET', '/v1/things', ['x-request-id: two']),
      rawRequest('GET', '/nothing', ['x-request-id: three']),
      rawRequest('POST', '/v1/echo', ['x-request-id: four'], '{}'),
    ]
    const answers = await sendRaw(front.port, bytes.join(''), 4)
    expect(answers.map(({ status, headers }) => [status, headers.get('x-request-id')])).toEqual([
      [200, 'one'],
      [200, 'two'],
      [404, 'three'],
      [200, 'four'],
    ])
  })

  it('answers what came whole, then 400, then closes', async () => {
    const answers = await sendRaw(front.port, `${rawRequest('POST', '/v1/echo', [], '{}')}GARBAGE\r\n\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
  })

  it('answers what came whole before a broken body, too', async () => {
    const answers = await sendRaw(
      front.port,
      `${rawRequest('POST', '/v1/echo', [], '{}')}${post(['Transfer-Encoding: chunked'], 'zz\r\n')}`,
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
  })

  it('takes what follows a length that is too small for a request of its own', async () => {
    const answers = await sendRaw(front.port, post(['Content-Length: 2'], '{}{"a":1}'))
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
  })

  it('answers 400 when the body is shorter than its length', async () => {
    const client = new RawClient(front.port).send(post(['Content-Length: 100']))
    client.socket.end()
    const answers = await client.end()
    expect(answers.map(({ status }) => status)).toEqual([400])
  })
})
