import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { echo, rawRequest, sendRaw, startFront, type TestFront } from '../testing/http-front.ts'
import { createClientAddress } from './access/client-address.ts'
import { traceparentFrom } from './request-id.ts'

let front: TestFront
beforeAll(async () => {
  front = await startFront([echo('GET', '/thing')])
})
afterAll(() => front.close())

describe('x-request-id', () => {
  it.each([['abc'], ['A.b_c-9'], ['x'.repeat(128)]])('%j is taken over', async (id) => {
    for (const [target, status] of [
      ['/thing', 200],
      ['/nothing', 404],
    ] as const) {
      const [answer] = await sendRaw(front.port, rawRequest('GET', target, [`X-Request-Id: ${id}`]), 1)
      expect([answer?.status, answer?.headers.get('x-request-id')]).toEqual([status, id])
      if (status === 200) expect(JSON.parse(answer?.body ?? '').requestId).toBe(id)
      expect(front.answered.at(-1)).toMatchObject({ requestId: id, status })
    }
  })

  it.each([[''], ['x'.repeat(129)], ['x'.repeat(10_000)], ['a b'], ['a"b'], ['{"a":1}'], ['a,b'], ['a\tb'], ['ä'], ['a;b'], ['../x']])(
    '%j is replaced',
    async (id) => {
      const bytes = Buffer.from(rawRequest('GET', '/thing', [`X-Request-Id: ${id}`]), 'latin1')
      const [answer] = await sendRaw(front.port, bytes, 1)
      expect(answer?.headers.get('x-request-id')).toMatch(/^new-\d+$/)
    },
  )

  it('two are replaced by one', async () => {
    const [answer] = await sendRaw(front.port, rawRequest('GET', '/thing', ['x-request-id: a', 'x-request-id: b']), 1)
    expect(answer?.headers.get('x-request-id')).toMatch(/^new-\d+$/)
  })

  it('a line break in it starts no header of the answer', async () => {
    const [answer] = await sendRaw(front.port, rawRequest('GET', '/thing', ['x-request-id: a\r\nset-cookie: b=c']), 1)
    expect([answer?.headers.get('x-request-id'), answer?.headers.has('set-cookie')]).toEqual(['a', false])
  })
})

describe('traceparentFrom', () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const parent = '00f067aa0ba902b7'
  it.each([[`00-${trace}-${parent}-01`], [`00-${trace}-${parent}-00`]])('%s is taken', (header) => {
    expect(traceparentFrom(header)).toBe(header)
  })
  it.each([
    [undefined],
    [''],
    [`00-${trace}-${parent}`],
    [`00-${trace}-${parent}-01-x`],
    [`ff-${trace}-${parent}-01`],
    [`00-${trace.toUpperCase()}-${parent}-01`],
    [`00-${'0'.repeat(32)}-${parent}-01`],
    [`00-${trace}-${'0'.repeat(16)}-01`],
    [`00-${trace}-${parent}-01\r\nx: y`],
    [`00-${trace}-${parent}-01\n`],
    [[`00-${trace}-${parent}-01`]],
    ['x'.repeat(100_000)],
  ])('%j is not', (header) => {
    expect(traceparentFrom(header)).toBeUndefined()
  })
})

describe('createClientAddress', () => {
  const from = (remoteAddress: string | undefined, forwarded?: string) =>
    ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage
  const cases: [trusted: string[], remote: string, forwarded: string | undefined, address: string][] = [
    [[], '9.9.9.9', '1.1.1.1', '9.9.9.9'],
    [[], '::ffff:9.9.9.9', undefined, '9.9.9.9'],
    [['10.0.0.0/8'], '10.1.2.3', '1.1.1.1', '1.1.1.1'],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', '1.1.1.1', '1.1.1.1'],
    [['10.0.0.0/8'], '9.9.9.9', '1.1.1.1', '9.9.9.9'],
    [['10.0.0.0/8'], '10.1.2.3', '6.6.6.6, 1.1.1.1, 10.0.0.1', '1.1.1.1'],
    [['10.0.0.0/8'], '10.1.2.3', undefined, '10.1.2.3'],
    [['10.0.0.0/8'], '10.1.2.3', '', '10.1.2.3'],
    [['10.0.0.0/8'], '10.1.2.3', 'evil"<script>', '10.1.2.3'],
    [['10.0.0.0/8'], '10.1.2.3', '1.1.1.1, garbage', '10.1.2.3'],
    [['10.0.0.0/8'], '10.1.2.3', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    [['10.0.0.0/8'], '10.1.2.3', `6.6.6.6${', 10.0.0.1'.repeat(100)}`, '10.0.0.1'],
    [['10.1.2.3'], '10.1.2.4', '1.1.1.1', '10.1.2.4'],
    [['fd00::/8', '::1'], '::1', '2001:db8::1, fd00::7', '2001:db8::1'],
  ]
  it.each(cases)('trusting %j, %s with %j is %s', (trusted, remote, forwarded, address) => {
    expect(createClientAddress(trusted)(from(remote, forwarded))).toBe(address)
  })

  it('a socket without address has none', () => {
    expect(createClientAddress([])(from(undefined))).toBe('')
  })

  it.each([['proxy.example'], ['10.0.0.0/33'], ['10.0.0.0/x'], ['10.0.0.0/8/8'], [''], ['::/129']])('%j is refused', (entry) => {
    expect(() => createClientAddress(['10.0.0.1', entry])).toThrow('is neither an address nor a network')
  })
})
