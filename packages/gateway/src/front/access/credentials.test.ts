import { messagesErrorBody } from '@stickler/core/internal/apis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { echo, rawRequest, sendRaw, startFront, type TestFront } from '../../testing/http-front.ts'

let front: TestFront
let openFront: TestFront
beforeAll(async () => {
  const routes = [echo('GET', '/thing'), echo('POST', '/v1/messages', { errors: messagesErrorBody })]
  front = await startFront(routes, { keys: 'app:secret-of-app,old:secret-of-old:2020-01-01' })
  openFront = await startFront(routes)
})
afterAll(() => Promise.all([front.close(), openFront.close()]))

describe('API keys over HTTP', () => {
  it.each([
    ['Authorization: Bearer secret-of-app'],
    ['authorization: bearer   secret-of-app  '],
    ['AUTHORIZATION: BEARER secret-of-app'],
    ['X-API-Key: secret-of-app'],
  ])('%j is accepted', async (header) => {
    const [answer] = await sendRaw(front.port, rawRequest('GET', '/thing', [header]), 1)
    expect([answer?.status, JSON.parse(answer?.body ?? '').key]).toEqual([200, 'app'])
  })

  it('any other: the same 401', async () => {
    const requests: [target: string, ...headers: string[]][] = [
      ['/thing'],
      ['/thing', 'Authorization: '],
      ['/thing', 'Authorization: Bearer'],
      ['/thing', 'Authorization: Bearer '],
      ['/thing', 'Authorization: Bearer wrong'],
      ['/thing', 'Authorization: Bearer secret-of-ap'],
      ['/thing', 'Authorization: Bearer secret-of-appp'],
      ['/thing', 'Authorization: Bearer secret-of-old'],
      ['/thing', 'Authorization: Bearer app:secret-of-app'],
      ['/thing', 'Authorization: Basic c2VjcmV0LW9mLWFwcA=='],
      ['/thing', 'Authorization: secret-of-app'],
      ['/thing', 'Authorization: Bearersecret-of-app'],
      ['/thing', 'X-API-Key: '],
      ['/thing', 'X-API-Key: Bearer secret-of-app'],
      ['/thing', 'api-key: secret-of-app'],
      ['/thing', 'Proxy-Authorization: Bearer secret-of-app'],
      ['/thing', 'Cookie: authorization=secret-of-app; x-api-key=secret-of-app'],
      ['/thing?api_key=secret-of-app&key=secret-of-app&access_token=secret-of-app'],
    ]
    const seen = new Set<string>()
    for (const [target, ...headers] of requests) {
      const [answer] = await sendRaw(front.port, rawRequest('GET', target, headers), 1)
      expect([headers, answer?.status]).toEqual([headers, 401])
      expect(answer?.headers.get('www-authenticate')).toBe('Bearer')
      seen.add(answer?.body ?? '')
    }
    expect([...seen].map((body) => JSON.parse(body))).toEqual([
      { error: { message: 'A valid API key is required.', type: 'authentication_error', param: null, code: 'invalid_api_key' } },
    ])
    expect(JSON.stringify(front.lines)).not.toContain('secret-of')
  })

  it('has the shape of the route', async () => {
    const [answer] = await sendRaw(front.port, rawRequest('POST', '/v1/messages', [], '{}'), 1)
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      type: 'error',
      error: { type: 'authentication_error', message: 'A valid API key is required.', code: 'invalid_api_key' },
    })
  })

  const key = 'Authorization: Bearer secret-of-app'
  it.each([
    [[key, key]],
    [[key, 'authorization: Bearer other']],
    [['X-API-Key: secret-of-app', 'x-api-key: secret-of-app']],
    [[key, 'X-API-Key: secret-of-app']],
    [['X-API-Key: ', key]],
  ])('%j: 400, with and without keys', async (headers) => {
    for (const { port } of [front, openFront]) {
      const [answer] = await sendRaw(port, rawRequest('GET', '/thing', headers), 1)
      expect(answer?.status).toBe(400)
      expect(answer?.body).not.toContain('secret-of')
    }
  })

  it('without keys any key will do', async () => {
    const [answer] = await sendRaw(openFront.port, rawRequest('GET', '/thing', ['Authorization: Bearer sk-dummy']), 1)
    expect([answer?.status, JSON.parse(answer?.body ?? '').key]).toEqual([200, ''])
  })
})
