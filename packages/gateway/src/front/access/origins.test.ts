import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { echo, type RawAnswer, sendRaw, startFront, type TestFront } from '../../testing/http-front.ts'
import { createHostCheck } from './hosts.ts'

const routes = [echo('GET', '/thing'), echo('POST', '/echo'), echo('GET', '/alive', { access: 'open' })]
const key = 'Authorization: Bearer secret-one'
let local: TestFront
let keyed: TestFront
let named: TestFront
let extended: TestFront

beforeAll(async () => {
  local = await startFront(routes, { settings: { allowedOrigins: ['https://chat.example', 'http://localhost:5173/'] } })
  keyed = await startFront(routes, { keys: 'me:secret-one' })
  extended = await startFront(routes, { settings: { allowedHosts: ['host.docker.internal'] } })
  named = await startFront(routes, { keys: 'me:secret-one', settings: { allowedHosts: ['Gate.example', 'other.example:8443'] } })
})
afterAll(() => Promise.all([local.close(), keyed.close(), named.close(), extended.close()]))

async function ask(front: TestFront, method: string, path: string, host: string | undefined, headers: string[] = []): Promise<RawAnswer> {
  const body = method === 'POST' ? ['Content-Length: 2', '', '{}'] : ['', '']
  const lines = [`${method} ${path} HTTP/1.1`, ...(host === undefined ? [] : [`Host: ${host}`]), key, ...headers, ...body]
  const [answer] = await sendRaw(front.port, lines.join('\r\n'), 1)
  if (answer === undefined) throw new Error('no answer')
  return answer
}

describe('Host', () => {
  const cases: [front: 'local' | 'keyed' | 'named' | 'extended', host: string, status: number][] = [
    ['local', 'localhost', 200],
    ['local', 'LOCALHOST:8080', 200],
    ['local', '127.0.0.1:1', 200],
    ['local', '127.9.9.9', 200],
    ['local', '[::1]:8080', 200],
    ['local', 'app.localhost', 200],
    ['local', 'evil.example', 403],
    ['local', 'localhost.evil.example', 403],
    ['local', '127.0.0.1.evil.example', 403],
    ['local', '127.0.0.1.', 403],
    ['local', '0.0.0.0', 403],
    ['local', '10.0.0.1', 403],
    ['local', '2130706433', 403],
    ['local', '[::ffff:7f00:1]', 403],
    ['local', 'user@localhost', 400],
    ['local', 'user:pass@localhost:80', 400],
    ['local', 'localhost:80:80', 400],
    ['local', 'localhost/x', 400],
    ['local', 'localhost, evil.example', 400],
    ['local', '', 400],
    ['local', 'x'.repeat(400), 400],
    ['keyed', 'anything.example:99', 200],
    ['keyed', '10.0.0.1', 200],
    ['keyed', 'a b', 400],
    ['named', 'gate.example', 200],
    ['named', 'GATE.example:444', 200],
    ['named', 'other.example:8443', 200],
    ['named', 'other.example', 403],
    ['named', 'localhost', 403],
    ['named', 'x.gate.example', 403],
    ['extended', 'host.docker.internal:8080', 200],
    ['extended', 'localhost', 200],
    ['extended', 'evil.example', 403],
  ]
  it.each(cases)('%s: %j gets %i', async (front, host, status) => {
    const answer = await ask({ local, keyed, named, extended }[front], 'GET', '/thing', host)
    expect(answer.status).toBe(status)
    // Probes call by address, and learn nothing.
    expect((await ask({ local, keyed, named, extended }[front], 'GET', '/alive', host)).status).toBe(status === 403 ? 200 : status)
  })

  it.each(cases.filter(([, host]) => !/[ /]/.test(host)))(
    '%s: a target with the host %j gets %i, whatever the header says',
    async (front, host, status) => {
      const to = { local, keyed, named, extended }[front]
      for (const header of ['localhost', 'gate.example', 'evil.example'])
        expect((await ask(to, 'GET', `http://${host}/thing`, header)).status).toBe(status)
      expect((await ask(to, 'POST', `http://${host}/echo`, 'evil.example', [`Origin: http://${host}`])).status).toBe(status)
      expect((await ask(to, 'GET', `http://${host}/thing`, undefined)).status).toBe(400)
      expect((await sendRaw(to.port, `GET http://${host}/thing HTTP/1.0\r\n${key}\r\n\r\n`, 1))[0]?.status).toBe(status)
    },
  )

  it.each([
    ['local', 403],
    ['keyed', 200],
    ['named', 403],
  ] as const)('%s: HTTP/1.0 without Host gets %i', async (front, status) => {
    const { port } = { local, keyed, named }[front]
    expect((await sendRaw(port, `GET /thing HTTP/1.0\r\n${key}\r\n\r\n`, 1))[0]?.status).toBe(status)
  })

  it('remembers few names only', () => {
    const check = createHostCheck([], () => true)
    for (let index = 0; index < 1000; index++) expect(check(`h${index}.example`)).toBe('good')
    expect(check('a b')).toBe('malformed')
  })
})

describe('Origin', () => {
  const cases: [method: string, origin: string, status: number, allowed: string | undefined][] = [
    ['GET', 'https://chat.example', 200, 'https://chat.example'],
    ['POST', 'https://chat.example', 200, 'https://chat.example'],
    ['POST', 'http://localhost:5173', 200, 'http://localhost:5173'],
    ['POST', 'http://localhost:8080', 200, undefined],
    ['GET', 'https://evil.example', 200, undefined],
    ['POST', 'https://evil.example', 403, undefined],
    ['POST', 'null', 403, undefined],
    ['POST', 'http://chat.example', 403, undefined],
    ['POST', 'https://chat.example:8443', 403, undefined],
    ['POST', 'https://chat.example.evil.example', 403, undefined],
    ['POST', 'http://localhost:9999', 403, undefined],
    ['POST', '', 403, undefined],
    ['POST', '*', 403, undefined],
  ]
  it.each(cases)('%s from %j gets %i', async (method, origin, status, allowed) => {
    const path = method === 'GET' ? '/thing' : '/echo'
    const answer = await ask(local, method, path, 'localhost:8080', [`Origin: ${origin}`])
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(allowed)
    expect(answer.headers.get('access-control-allow-credentials')).toBeUndefined()
    expect(answer.headers.get('vary')).toBe(allowed === undefined ? undefined : 'origin')
    expect(answer.headers.get('x-request-id')).toMatch(/^new-/)
  })

  it('a page that took a name for this machine is a foreign host', async () => {
    expect((await ask(local, 'POST', '/echo', 'evil.example', ['Origin: http://evil.example'])).status).toBe(403)
  })

  it('errors can be read by pages that may read answers', async () => {
    const answer = await ask(local, 'GET', '/nothing', 'localhost', ['Origin: https://chat.example'])
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([404, 'https://chat.example'])
  })

  it('answers a preflight of a known origin without key', async () => {
    const headers = [
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: Authorization, content-type,x-stainless-os, b@d',
    ]
    const bytes = ['OPTIONS /echo HTTP/1.1', 'Host: localhost', 'Origin: https://chat.example', ...headers, '', '']
    const [answer] = await sendRaw(local.port, bytes.join('\r\n'), 1)
    expect(answer?.status).toBe(204)
    expect(Object.fromEntries(answer?.headers ?? [])).toMatchObject({
      'access-control-allow-origin': 'https://chat.example',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization, content-type, x-stainless-os',
      'access-control-max-age': '600',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^new-/),
    })
  })

  it.each([
    ['/echo', 'https://evil.example', 403],
    ['/echo', 'null', 403],
    ['/nothing', 'https://chat.example', 404],
  ])('refuses the preflight for %s of %s', async (path, origin, status) => {
    const answer = await ask(local, 'OPTIONS', path, 'localhost', [`Origin: ${origin}`, 'Access-Control-Request-Method: POST'])
    expect(answer.status).toBe(status)
    expect(answer.headers.has('access-control-allow-methods')).toBe(false)
  })
})
