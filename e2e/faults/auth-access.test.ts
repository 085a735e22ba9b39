import { request as httpRequest } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openToAll } from '../../packages/gateway/src/front/access/roles.ts'
import type { Route } from '../../packages/gateway/src/front/exchange.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { apiNames, ask, errorOf, ways } from '../../packages/gateway/src/testing/wire.ts'

const registered: Route[] = []
vi.mock('../../packages/gateway/src/front/server.ts', async (load) => {
  const real = await load<typeof import('../../packages/gateway/src/front/server.ts')>()
  const createHttpServer: typeof real.createHttpServer = (options) => {
    registered.splice(0, registered.length, ...options.routes)
    return real.createHttpServer(options)
  }
  return { ...real, createHttpServer }
})

/** What is asked there is data, or the client's own text. */
const noAnswers = /^\/v1\/(?:embeddings|moderations|images\/|audio\/|check)/

/** Files of the dashboard, which hold no data; whoever opens it is asked for a key. */
const barePage = [
  '/',
  ...['/runs', '/sessions', '/contracts', '/evaluations'].flatMap((list) => [list, `${list}/:name`]),
  ...['/upstreams', '/keys', '/assets/:file'],
]

const yaml = `
log: { level: debug }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, model: m }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }], retries: 0, stream: hold } }
routes: [{ model: brief, upstream: up, contract: brief, exemptTasks: [title_generation] }, { model: plain, upstream: up }]
ask: { upstreams: [up] }
`

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

/** Sends any method, path and headers, also those that `fetch` keeps to itself. */
function send(
  gateway: TestGateway,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${gateway.url}${path}`, { method, headers })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

describe('with keys', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ yaml, env: { STICKLER_KEYS: 'tester:right-key-0123456789' } })
  })
  afterAll(() => gateway.close())

  test('S03 every registered route but liveness and the bare page asks for a key, before it looks at anything else', async () => {
    expect(registered.length).toBeGreaterThan(15)
    const openPaths = registered.filter(({ access }) => openToAll.has(access)).map(({ path }) => path)
    expect(openPaths.filter((path) => !barePage.includes(path))).toEqual(['/healthz'])
    const bodies = new Set<string>()
    const [, script = ''] = /assets\/(main-[\w-]+\.js)/.exec((await send(gateway, 'GET', '/')).body) ?? []
    for (const { method, path, access } of registered) {
      const open = openToAll.has(access)
      const real = path.replace(':file', script).replaceAll(/:\w+/g, 'some-id')
      for (const headers of [{}, { authorization: 'Bearer wrong-key-0123456789' }, { 'x-api-key': 'right-key' }]) {
        for (const way of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
          const answer = await send(
            gateway,
            way,
            real,
            { ...headers, 'x-request-id': 'same' },
            way === 'POST' ? { model: 'brief' } : undefined,
          )
          expect([way, path, answer.status]).toEqual([way, path, open ? 200 : 401])
          if (!open && way !== 'HEAD') bodies.add(answer.body)
        }
      }
      expect((await send(gateway, method, `${real}?api_key=right-key-0123456789&key=right-key-0123456789`)).status).toBe(open ? 200 : 401)
    }
    // One for each shape of errors, whatever was wrong.
    expect([...bodies].every((body) => /A valid API key is required\./.test(body))).toBe(true)
    expect(bodies.size).toBeLessThanOrEqual(4)
    expect(gateway.upstream.requests).toEqual([])
  })

  test('S03 the bare page says the same whatever the gateway has done', async () => {
    const before = await Promise.all(barePage.map((path) => send(gateway, 'GET', path)))
    const headers = { authorization: 'Bearer right-key-0123456789' }
    expect((await ask(gateway, 'chat', { model: 'brief', headers })).status).toBe(200)
    const after = await Promise.all(barePage.map((path) => send(gateway, 'GET', path)))
    expect(after.map(({ body }) => body)).toEqual(before.map(({ body }) => body))
  })
})

describe('without keys, on this machine', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ yaml })
  })
  afterAll(() => gateway.close())
  const json = { 'content-type': 'application/json' }
  const question = { model: 'brief', messages: [{ role: 'user', content: 'x' }] }

  test('S11 pages of others can read and do nothing', async () => {
    for (const { method, path } of registered.filter(({ path }) => path !== '/api/v1/live')) {
      const real = path.replaceAll(/:\w+/g, 'some-id')
      const evil = { origin: 'https://evil.example' }
      const answer = await send(gateway, method, real, { ...evil, ...json }, method === 'POST' ? question : undefined)
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
      if (method === 'POST') expect([path, answer.status]).toEqual([path, 403])
      const preflight = await send(gateway, 'OPTIONS', real, { ...evil, 'access-control-request-method': method })
      expect([path, preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([path, 403, undefined])
    }
    expect(gateway.upstream.requests).toEqual([])
  })

  test('S11 a name that leads here without being ours is refused, whatever the port', async () => {
    const { port } = new URL(gateway.url)
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil.example`,
      `[::ffff:1.2.3.4]:${port}`,
    ]) {
      for (const path of ['/api/v1/runs', '/metrics', '/readyz', '/v1/models', '/api/v1/live'])
        expect([host, path, (await send(gateway, 'GET', path, { host })).status]).toEqual([host, path, 403])
      expect((await send(gateway, 'POST', '/v1/chat/completions', { host, ...json }, question)).status).toBe(403)
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
      expect((await send(gateway, 'GET', '/api/v1/runs', { host })).status).toBe(200)
    expect(gateway.upstream.requests).toEqual([])
  })
})

describe('S12 switching enforcement off', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ yaml, behaviour: answering('one two three four five six seven') })
  })
  afterAll(() => gateway.close())
  afterEach(() => void (gateway.logLines as string[]).splice(0))

  const noted = () => gateway.logLines.filter((line) => line.includes('a client tried to override server-side settings')).length

  describe.each(ways)('S12 %s %s', (api, how) => {
    const stream = how === 'streamed'

    test('by fields: the request is refused', async () => {
      const off = {
        enforce: false,
        contract: '',
        mode: 'shadow',
        checks: [],
        retries: 9,
        enabled: false,
        stream: 'pass',
        unchecked: 'deliver',
      }
      const reply = await ask(gateway, api, { model: 'brief', stream, fields: { stickler: off } })
      expect([reply.status, errorOf(reply)]).toEqual([400, expect.objectContaining({ param: 'stickler.enforce' })])
    })

    test('by headers: the contract holds, and the attempt is logged', async () => {
      const headers = { 'x-stickler-mode': 'off', 'x-stickler-contract': 'none', 'x-stickler-enforce': '0', 'x-stickler-status': 'valid' }
      const reply = await ask(gateway, api, { model: 'brief', stream, headers })
      expect(reply.status).toBe(422)
      await expect.poll(noted).toBe(1)
    })

    test('by fields of others: the contract holds', async () => {
      const fields = { validate: false, guardrails: [], disable_validation: true, mode: 'off', metadata: { enforce: 'false' } }
      expect((await ask(gateway, api, { model: 'brief', stream, fields })).status).toBe(422)
    })

    test('by a task that is not exempt: the contract holds', async () => {
      for (const task of ['default', 'TITLE_GENERATION', 'title_generation ,x', 'tags_generation'])
        expect((await ask(gateway, api, { model: 'brief', stream, headers: { 'x-stickler-task': task } })).status).toBe(422)
    })

    test('by another spelling of the model: there is none', async () => {
      const calls = gateway.upstream.requests.length
      for (const model of ['brief:off', 'brief/plain', 'brief#plain', 'brief?mode=off', ' brief', 'BRIEF', 'brief,plain', '*', 'up/brief'])
        expect([model, (await ask(gateway, api, { model, stream })).status]).toEqual([model, 404])
      expect(gateway.upstream.requests.length).toBe(calls)
    })
  })

  test('S12 by the query', async () => {
    const answer = await gateway.post('/v1/chat/completions?enforce=false&mode=off&model=plain', {
      model: 'brief',
      messages: [{ role: 'user', content: 'x' }],
    })
    expect([answer.status, answer.headers.get('x-stickler-contract')]).toEqual([422, 'brief'])
  })

  test('A04 no registered way in delivers an answer that breaks the contract, whatever headers and fields say', async () => {
    const wish = { enforce: false, contract: '', mode: 'shadow', task: 'title_generation', exempt: true }
    const body = {
      model: 'brief',
      prompt: 'x',
      input: 'x',
      question: 'x',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'x' }],
      ...wish,
    }
    for (const { method, path } of registered) {
      if (method !== 'POST' || noAnswers.test(path)) continue
      for (const stream of [false, true])
        for (const headers of [{}, { 'x-stickler-task': 'tags_generation', 'x-stickler-contract': '', 'x-stickler-mode': 'off' }]) {
          const answer = await gateway.post(path, { ...body, stickler: wish, stream }, headers)
          expect([path, stream, (await answer.text()).includes('six seven')]).toEqual([path, stream, false])
        }
    }
  })

  test.each(apiNames)('S12 %s: what a client may say is not logged as an attempt', async (api) => {
    await ask(gateway, api, {
      model: 'brief',
      fields: { stickler: { session: 'a', question: 'b' } },
      headers: { 'x-stickler-session': 'a' },
    })
    expect(noted()).toBe(0)
  })
})
