import { validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rawRequest, sendRaw, startFront, type TestFront } from '../../testing/http-front.ts'
import { sendBody, sendJson, sendText } from './json-response.ts'
import { safeHeaderValue } from './reply-headers.ts'

describe('safeHeaderValue', () => {
  it.each([
    ['plain', 'plain'],
    ['gpt-4o (2026): "x"', 'gpt-4o (2026): "x"'],
    ['a\r\nset-cookie: b', 'a??set-cookie: b'],
    ['a\0\u007f\t', 'a???'],
    [' a ', 'a'],
    ['größe', 'gr??e'],
    ['😀', '?'],
    ['\ud800', '?'],
    ['', ''],
    ['x'.repeat(5000), 'x'.repeat(1024)],
  ])('%j becomes %j', (text, value) => {
    expect(safeHeaderValue(text)).toBe(value)
  })

  it('is always a value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const value = safeHeaderValue(text)
        validateHeaderValue('x', value)
        expect(value).toMatch(/^[\x20-\x7e]{0,1024}$/)
        expect(safeHeaderValue(value)).toBe(value)
      }),
    )
  })
})

describe('answers', () => {
  let front: TestFront
  beforeAll(async () => {
    front = await startFront([
      {
        method: 'GET',
        path: '/json',
        access: 'read',
        handler: async (exchange) => sendJson(exchange, 201, { a: '€' }, { 'x-a': 'b\nc', 'x-n': 7 }),
      },
      { method: 'GET', path: '/text', access: 'read', handler: async (exchange) => sendText(exchange, 200, 'größe') },
      {
        method: 'GET',
        path: '/page',
        access: 'read',
        handler: async (exchange) => sendText(exchange, 200, '<p>', 'text/html; charset=utf-8'),
      },
      {
        method: 'GET',
        path: '/file',
        access: 'read',
        handler: async (exchange) =>
          sendBody(exchange, 200, 'image/png', Buffer.from([1, 2, 255]), { 'Cache-Control': 'public, max-age=31536000, immutable' }),
      },
    ])
  })
  afterAll(() => front.close())
  const get = async (path: string) => {
    const [answer] = await sendRaw(front.port, rawRequest('GET', path, ['x-request-id: mine']), 1)
    if (answer === undefined) throw new Error('no answer')
    return { ...answer, headers: Object.fromEntries(answer.headers) }
  }

  const always = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'x-request-id': 'mine',
  }

  it('JSON', async () => {
    expect(await get('/json')).toMatchObject({
      status: 201,
      body: '{"a":"€"}',
      headers: {
        ...always,
        'content-type': 'application/json; charset=utf-8',
        'content-length': '11',
        'cache-control': 'no-store',
        'x-a': 'b?c',
        'x-n': '7',
      },
    })
  })

  it('text', async () => {
    expect(await get('/text')).toMatchObject({
      body: 'größe',
      headers: { ...always, 'content-type': 'text/plain; charset=utf-8', 'content-length': '7', 'cache-control': 'no-store' },
    })
  })

  it('pages', async () => {
    const { headers } = await get('/page')
    expect(headers).toMatchObject({ ...always, 'x-frame-options': 'DENY', 'cross-origin-opener-policy': 'same-origin' })
    expect(headers['content-security-policy']).toContain("default-src 'self'")
    expect(headers['content-security-policy']).not.toMatch(/script-src|unsafe-eval|\*/)
  })

  it('files, with a rule of their own for caches', async () => {
    const { headers } = await get('/file')
    expect(headers).toMatchObject({ ...always, 'content-length': '3', 'cache-control': 'public, max-age=31536000, immutable' })
  })
})
