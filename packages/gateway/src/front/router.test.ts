import { ConfigurationError } from '@stickler/core'
import { messagesErrorBody } from '@stickler/core/internal/apis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { echo, RawClient, rawRequest, sendRaw, startFront, type TestFront, until } from '../testing/http-front.ts'
import { plainErrorBody } from './replies/error-bodies.ts'
import { createRouter } from './router.ts'

const routes = [
  echo('POST', '/v1/chat/completions'),
  echo('POST', '/v1/messages', { errors: messagesErrorBody }),
  echo('GET', '/v1/models'),
  echo('POST', '/v1/models'),
  echo('GET', '/v1/runs/:id'),
  echo('GET', '/v1/runs/latest'),
  echo('GET', '/v1/runs/:id/attempts/:number'),
  echo('GET', '/healthz', { access: 'open', errors: plainErrorBody }),
  echo('GET', '/'),
]
const key = 'authorization: Bearer open-sesame-1234'
let front: TestFront

beforeAll(async () => {
  front = await startFront(routes, { keys: 'me:open-sesame-1234' })
})
afterAll(() => front.close())

describe('routes', () => {
  it.each([
    ['GET', '/v1/models', {}],
    ['GET', '/', {}],
    ['GET', '/v1/runs/latest', {}],
    ['GET', '/v1/runs/a%20b', { id: 'a b' }],
    ['GET', '/v1/runs/%E2%82%AC', { id: '€' }],
    ['GET', '/v1/runs/__proto__', { id: '__proto__' }],
    ['GET', '/v1/runs/x/attempts/2', { id: 'x', number: '2' }],
    ['GET', '/v1/models?api_key=1&a=%20&a=2', {}],
  ])('%s %s is found', async (method, target, params) => {
    const [answer] = await sendRaw(front.port, rawRequest(method, target, [key]), 1)
    expect(answer?.status).toBe(200)
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ path: target.split('?')[0], params, key: 'me' })
  })

  it.each([
    ['http://localhost/v1/models', '/v1/models', []],
    [
      'HTTP://LOCALHOST:8080/v1/models?a=%20&a=2',
      '/v1/models',
      [
        ['a', ' '],
        ['a', '2'],
      ],
    ],
    ['https://[::1]/v1/runs/a%20b', '/v1/runs/a%20b', []],
    ['http://localhost', '/', []],
    ['http://localhost?a=/b', '/', [['a', '/b']]],
  ])('%s is a target in absolute form', async (target, path, query) => {
    const [answer] = await sendRaw(front.port, rawRequest('GET', target, [key]), 1)
    expect(answer?.status).toBe(200)
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ path, query })
    const [refused] = await sendRaw(front.port, rawRequest('GET', target, []), 1)
    expect(refused?.status).toBe(401)
  })

  it('reads the query', async () => {
    const [answer] = await sendRaw(front.port, rawRequest('GET', '/v1/models?a=%20&a=2&b', [key]), 1)
    expect(JSON.parse(answer?.body ?? '').query).toEqual([
      ['a', ' '],
      ['a', '2'],
      ['b', ''],
    ])
  })

  it('answers HEAD as GET, without body', async () => {
    const client = new RawClient(front.port).send(rawRequest('HEAD', '/healthz') + rawRequest('GET', '/nothing'))
    await until(() => client.received.toString().endsWith('}'))
    const [head = '', ...rest] = client.received.toString().split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*content-length: \d\d/)
    expect(rest).toEqual([expect.stringMatching(/^HTTP\/1\.1 404 /), expect.stringContaining('not_found')])
    client.socket.destroy()
  })

  it.each([
    ['GET', '/v1/chat/completions', 'POST'],
    ['DELETE', '/v1/models', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/runs/7', 'GET, HEAD'],
    ['TRACE', '/healthz', 'GET, HEAD'],
    ['PUT', '/v1/messages', 'POST'],
  ])('%s %s: 405, allowed is %s', async (method, target, allow) => {
    for (const headers of [[key], []]) {
      const [answer] = await sendRaw(front.port, rawRequest(method, target, headers), 1)
      expect(answer?.status).toBe(405)
      expect(answer?.headers.get('allow')).toBe(allow)
    }
  })

  it('an upgrade is not made', async () => {
    const headers = [key, 'Connection: Upgrade', 'Upgrade: websocket']
    const [answer] = await sendRaw(front.port, rawRequest('GET', '/v1/models', headers), 1)
    expect(answer?.status).toBe(200)
    expect((await sendRaw(front.port, rawRequest('GET', '/v1/models', headers.slice(1)), 1))[0]?.status).toBe(401)
  })

  it('CONNECT: 405', async () => {
    expect((await sendRaw(front.port, rawRequest('CONNECT', 'example.org:443', [key]))).map(({ status }) => status)).toEqual([405])
  })

  const strange = [
    '/v1/../admin',
    '/v1/../v1/models',
    '/v1/./models',
    '//v1/models',
    '/v1//models',
    '/v1/models/',
    '/v1/models/.',
    '/V1/models',
    '/v1/Models',
    '/v1/%6dodels',
    '/%2e%2e/v1/models',
    '/v1%2fmodels',
    '/v1/models%00',
    '/v1/models;a=b',
    '/v1/models%3fa',
    '/v1\\models',
    '/v1/runs/',
    '/v1/runs/..',
    '/v1/runs/%2e%2e',
    '/v1/runs/a%2Fb',
    '/v1/runs/a%5cb',
    '/v1/runs/%00',
    '/v1/runs/%0d%0aset-cookie:x',
    '/v1/runs/%',
    '/v1/runs/%ff',
    '/v1/proxy/x',
    '/v1/runs/:id/x',
    '/healthz/../v1/models',
    '/healthz/',
    'http://localhost/v1/../v1/models',
    'http://localhost//v1/models',
    'http:/v1/models',
    'http:v1/models',
    'http:///v1/models',
    'http://me@localhost/v1/models',
    'http://localhost#/v1/models',
    'http://localhost\\/v1/models',
    'http://local%68ost/v1/models',
    'ftp://localhost/v1/models',
    '//localhost/v1/models',
    'v1/models',
    '*',
    '?',
    '/v1/models#x',
  ]
  it.each(strange)('GET %s: 404 or 400, with and without key', async (target) => {
    for (const headers of [[key], []]) {
      const [answer] = await sendRaw(front.port, rawRequest('GET', target, headers), 1)
      expect([400, 404]).toContain(answer?.status)
      expect(JSON.parse(answer?.body ?? '').error.type).toMatch(/not_found_error|invalid_request_error/)
    }
  })

  it.each(routes.map(({ method, path, access }) => [method, path, access === 'open' ? 200 : 401] as const))(
    '%s %s without a key: %i',
    async (method, path, status) => {
      const target = path.replaceAll(/:\w+/g, 'x')
      const [answer] = await sendRaw(front.port, rawRequest(method, target, [], method === 'POST' ? '{}' : undefined), 1)
      expect(answer?.status).toBe(status)
    },
  )

  it('errors have the shape of their route', async () => {
    const [anthropic] = await sendRaw(front.port, rawRequest('GET', '/v1/messages', [key]), 1)
    expect(JSON.parse(anthropic?.body ?? '')).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Use POST here.', code: 'method_not_allowed' },
    })
    const [plain] = await sendRaw(front.port, rawRequest('POST', '/healthz', [key], '{}'), 1)
    expect([plain?.headers.get('content-type'), plain?.body]).toEqual(['text/plain; charset=utf-8', 'Use GET, HEAD here.\n'])
  })
})

describe('createRouter', () => {
  it.each([['v1'], ['/v1/'], ['//'], ['/v1/:'], ['/a b'], ['/a?b'], ['']])('the path %j is refused', (path) => {
    expect(() => createRouter([echo('GET', path)])).toThrow(ConfigurationError)
  })

  it('a route that is there twice is refused', () => {
    expect(() => createRouter([echo('GET', '/a'), echo('POST', '/a'), echo('GET', '/a')])).toThrow('the route GET /a is duplicated')
  })
})

it('a route with a star has all paths below that no other route has', () => {
  const router = createRouter([echo('POST', '/hooks/*'), echo('POST', '/hooks/:id'), echo('GET', '/v1/runs/:id')])
  const found = (path: string) => router.find(path)?.entry.first.path
  expect(found('/hooks/a')).toBe('/hooks/:id')
  for (const path of ['/hooks', '/hooks/', '/hooks/a/', '/hooks/a/b', '/hooks/%ZZ', '/hooks/%2f']) expect(found(path)).toBe('/hooks/*')
  expect([found('/hooksa'), found('/'), found('/a/hooks/b')]).toEqual([undefined, undefined, undefined])
  expect(() => found('/v1/runs/%ZZ')).toThrow('not encoded')
})
