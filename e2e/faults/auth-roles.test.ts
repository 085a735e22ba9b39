import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readGatewayConfig } from '../../packages/gateway/src/config/reading/read-gateway-config.ts'
import type { GatewayConfig } from '../../packages/gateway/src/config/resolved/gateway-config.ts'
import type { Route } from '../../packages/gateway/src/front/exchange.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { root } from '../support/places.ts'

/** The routes of every listener that was made, the last one last. */
const registered: (readonly Route[])[] = []
vi.mock('../../packages/gateway/src/front/server.ts', async (load) => {
  const real = await load<typeof import('../../packages/gateway/src/front/server.ts')>()
  const createHttpServer: typeof real.createHttpServer = (options) => {
    registered.push(options.routes)
    return real.createHttpServer(options)
  }
  return { ...real, createHttpServer }
})

const yaml = `
server: { port: 0 }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, model: m }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }], retries: 0, stream: hold } }
routes: [{ model: brief, upstream: up, contract: brief }, { model: plain, upstream: up }]
ask: { upstreams: [up] }
`
const withAdmin = yaml.replace('server: { port: 0 }', 'server: { port: 0, admin: { port: 0 } }')
const env = {
  STICKLER_KEYS: 'alice:key-of-alice-0123456789,bob:key-of-bob-0123456789',
  STICKLER_OPERATOR_KEYS: 'ops:key-of-operator-0123456789',
}
const who = {
  none: {},
  wrong: { authorization: 'Bearer key-of-nobody-0123456789' },
  alice: { authorization: 'Bearer key-of-alice-0123456789' },
  bob: { authorization: 'Bearer key-of-bob-0123456789' },
  operator: { authorization: 'Bearer key-of-operator-0123456789' },
} as const
type Who = keyof typeof who

const open = new Set<TestGateway>()
async function start(options: Parameters<typeof startTestGateway>[0] = {}): Promise<TestGateway> {
  registered.length = 0
  const gateway = await startTestGateway({ yaml, env, behaviour: answering('Fine.'), ...options })
  open.add(gateway)
  return gateway
}
afterEach(async () => {
  for (const gateway of open) await gateway.close()
  open.clear()
})

/** What each route says to: no key, a wrong one, the client that the data belongs to, another client, and the operator. */
type Row = readonly [none: number, wrong: number, owner: number, other: number, operator: number]
const everybody: Row = [200, 200, 200, 200, 200]
const keyed: Row = [401, 401, 200, 200, 200]
const clients: Row = [401, 401, 200, 200, 403]
const operators: Row = [401, 401, 403, 403, 200]
const owned: Row = [401, 401, 200, 404, 200]
/** The dashboard, which has no data of its own. */
const pages = [
  ...['/', '/assets/:file', '/upstreams', '/keys'],
  ...['/runs', '/sessions', '/contracts', '/evaluations'].flatMap((list) => [list, `${list}/:name`]),
]
const table: Readonly<Record<string, Row>> = {
  'GET /healthz': everybody,
  ...Object.fromEntries(pages.map((path) => [`GET ${path}`, everybody])),
  'GET /readyz': operators,
  'GET /metrics': operators,
  'POST /v1/chat/completions': clients,
  'POST /v1/responses': clients,
  'POST /v1/messages': clients,
  'POST /v1/messages/count_tokens': clients,
  'POST /v1/completions': clients,
  'POST /v1/embeddings': clients,
  'POST /v1/moderations': clients,
  'POST /v1/images/generations': clients,
  'POST /v1/images/edits': clients,
  'POST /v1/images/variations': clients,
  'POST /v1/audio/speech': clients,
  'POST /v1/audio/transcriptions': clients,
  'POST /v1/audio/translations': clients,
  'POST /ask': clients,
  'POST /v1/check': clients,
  'GET /guardrails/open-webui/v1/models': clients,
  'POST /guardrails/claude-code/*': clients,
  'POST /guardrails/claude-code/:contract': clients,
  'POST /guardrails/litellm/*': clients,
  'POST /guardrails/litellm/:contract/beta/litellm_basic_guardrail_api': clients,
  'POST /guardrails/open-webui/*': clients,
  'POST /guardrails/open-webui/v1/:contract/filter/inlet': clients,
  'POST /guardrails/open-webui/v1/:contract/filter/outlet': clients,
  'POST /guardrails/portkey/*': clients,
  'POST /guardrails/portkey/:contract': clients,
  'GET /openapi.json': keyed,
  'GET /v1/models': keyed,
  'GET /v1/models/:id': keyed,
  'GET /api/v1/contracts': operators,
  'GET /api/v1/parser': operators,
  'GET /api/v1/runs': keyed,
  'GET /api/v1/runs/:id': owned,
  'GET /api/v1/sessions': keyed,
  'GET /api/v1/sessions/:id': owned,
  'GET /api/v1/stats': keyed,
  'GET /api/v1/summary': keyed,
  'GET /api/v1/audit': operators,
  'GET /api/v1/runs.csv': keyed,
  'GET /api/v1/runs.jsonl': keyed,
  'GET /api/v1/me': keyed,
  'GET /api/v1/overview': keyed,
  'GET /api/v1/gateway': operators,
  'GET /api/v1/contracts/stats': operators,
  'GET /api/v1/evaluations': operators,
  'GET /api/v1/evaluations/:id': operators,
  'PUT /api/v1/runs/:id/label': operators,
  'DELETE /api/v1/runs/:id/label': operators,
  'POST /api/v1/try': operators,
  'GET /api/v1/live': keyed,
}
const columns: readonly Who[] = ['none', 'wrong', 'alice', 'bob', 'operator']

const bodies: Readonly<Record<string, unknown>> = {
  '/v1/chat/completions': { model: 'brief', messages: [{ role: 'user', content: 'x' }] },
  '/v1/responses': { model: 'brief', input: 'x' },
  '/v1/messages': { model: 'brief', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] },
  '/v1/completions': { model: 'plain', prompt: 'x' },
  '/v1/embeddings': { model: 'plain', input: 'x' },
  '/ask': { question: 'Why?', sources: [{ urn: 'urn:a', payload: 'Because.' }] },
  '/v1/check': { contract: 'brief', text: 'x' },
}

/** Sends a request and gives its status; a stream that goes on is left after its head. */
function statusOf(url: string, method: string, path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${url}${path}`, { method, headers: { 'content-type': 'application/json', ...headers } })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    outgoing.end(method === 'POST' ? JSON.stringify(bodies[path]) : undefined)
  })
}

/** A run of alice in the session `hers`, and a report of that name. */
async function runOfAlice(gateway: TestGateway): Promise<string> {
  const reports = join(gateway.config.store.folder, 'evaluations')
  await mkdir(reports, { recursive: true })
  await writeFile(join(reports, 'hers.json'), '{}')
  await gateway.post('/v1/chat/completions', bodies['/v1/chat/completions'], { ...who.alice, 'x-stickler-session': 'hers' })
  let found: readonly { readonly id: string }[] = []
  await expect
    .poll(async () => {
      found = ((await (await gateway.get('/api/v1/runs', who.alice)).json()) as { items: { id: string }[] }).items
      return found.length
    })
    .toBe(1)
  return found[0]?.id ?? ''
}

/** A file of the built dashboard. */
const script = readdirSync(join(root, 'packages/gateway/dist/dashboard/assets')).find((name) => name.endsWith('.js')) ?? ''

/** The path of a route with a model, a run or a session in the place of its parameter. */
function real(path: string, run: string): string {
  const value = path.startsWith('/v1/models') ? 'brief' : path.startsWith('/api/v1/runs') ? run : 'hers'
  return path.replace(':file', script).replace(/:\w+/, value)
}

/** An answer that is not about the key: the upstream of the test speaks chat only. */
const isAdmitted = (status: number): boolean => status !== 401 && status !== 403 && status !== 404

describe('every registered route, by key', () => {
  test('on the only listener', { timeout: 60_000 }, async () => {
    const gateway = await start()
    const run = await runOfAlice(gateway)
    const routes = registered.flat()
    expect(routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(table).toSorted())
    for (const { method, path } of routes) {
      const row = table[`${method} ${path}`] ?? everybody
      const seen = await Promise.all(columns.map((one) => statusOf(gateway.url, method, real(path, run), who[one])))
      const told = seen.map((status, index) => (row[index] === 200 && isAdmitted(status) ? 200 : status))
      expect([path, ...told]).toEqual([path, ...row])
    }
  })

  test('operators cause no call of an upstream, whatever they send', async () => {
    const gateway = await start()
    for (const path of Object.keys(bodies)) expect(await statusOf(gateway.url, 'POST', path, who.operator)).toBe(403)
    expect(gateway.upstream.requests).toEqual([])
  })

  test('with a listener of their own for operators', { timeout: 60_000 }, async () => {
    const gateway = await start({ yaml: withAdmin })
    const run = await runOfAlice(gateway)
    const { adminUrl = '' } = gateway
    for (const name of Object.keys(table)) {
      const [method = '', path = ''] = name.split(' ')
      const row = table[name] ?? everybody
      const isCall = row === clients
      const [front, back] = await Promise.all(
        [gateway.url, adminUrl].map((url) => Promise.all(columns.map((one) => statusOf(url, method, real(path, run), who[one])))),
      )
      const isOperators = pages.includes(path) || row === operators
      const expectedFront = isOperators ? [404, 404, 404, 404, 404] : path === '/healthz' ? everybody : [...row.slice(0, 4), 401]
      const expectedBack = isCall
        ? [404, 404, 404, 404, 404]
        : path === '/readyz' || path === '/metrics' || row === everybody
          ? everybody
          : [401, 401, 401, 401, 200]
      const told = (seen: readonly number[] = [], expected: readonly number[]) =>
        seen.map((status, index) => (expected[index] === 200 && isAdmitted(status) ? 200 : status))
      expect([path, ...told(front, expectedFront)]).toEqual([path, ...expectedFront])
      expect([path, ...told(back, expectedBack)]).toEqual([path, ...expectedBack])
    }
    expect(gateway.upstream.requests.length).toBeGreaterThan(0)
  })

  test('without any keys, everything on this machine', async () => {
    for (const written of [yaml, withAdmin]) {
      const gateway = await start({ yaml: written, env: {} })
      for (const name of Object.keys(table).filter((one) => !one.includes(':'))) {
        const [method = '', path = ''] = name.split(' ')
        const isCall = table[name] === clients
        expect([path, isAdmitted(await statusOf(isCall ? gateway.url : (gateway.adminUrl ?? gateway.url), method, path, {}))]).toEqual([
          path,
          true,
        ])
      }
    }
  })
})

describe('what a client sees of others', () => {
  let gateway: TestGateway
  const json = async (path: string, key: Who): Promise<Record<string, unknown>> =>
    (await (await gateway.get(path, who[key])).json()) as Record<string, unknown>
  const items = async (path: string, key: Who): Promise<readonly Record<string, unknown>[]> =>
    (await json(path, key)).items as Record<string, unknown>[]

  beforeAll(async () => {
    gateway = await startTestGateway({ yaml, env, behaviour: answering('one two three four five six') })
    const body = bodies['/v1/chat/completions']
    for (const key of ['alice', 'bob', 'alice', 'bob', 'bob'] as const)
      await gateway.post('/v1/chat/completions', body, { ...who[key], 'x-stickler-session': 'shared' })
    await gateway.post('/v1/chat/completions', body, { ...who.bob, 'x-stickler-session': 'only-bob' })
    for (let left = 100; left > 0 && (await items('/api/v1/runs', 'operator')).length < 6; left--) await delay(50)
    return () => gateway.close()
  })

  test('lists, filters and pages hold only its own runs', async () => {
    for (const [key, count] of [
      ['alice', 2],
      ['bob', 4],
    ] as const) {
      for (const query of ['', '?code=MAX_WORDS', '?model=brief', '?status=unresolved', '?since=0', '?limit=1', '?session=shared']) {
        const found = await items(`/api/v1/runs${query}`, key)
        expect(found.length).toBeGreaterThan(0)
        expect(new Set(found.map((run) => run.key))).toEqual(new Set([key]))
      }
      expect((await items('/api/v1/runs', key)).length).toBe(count)
      const csv = await (await gateway.get('/api/v1/runs.csv', who[key])).text()
      expect(csv.trim().split('\n')).toHaveLength(count + 1)
    }
    let next: unknown = ''
    const walked: unknown[] = []
    do {
      const page = await json(`/api/v1/runs?limit=1&cursor=${String(next)}`, 'alice')
      walked.push(...(page.items as unknown[]))
      next = page.next
    } while (next !== undefined)
    expect(walked).toHaveLength(2)
  })

  test('a run of another is not there, and neither is a session', async () => {
    const [run] = await items('/api/v1/runs?session=only-bob', 'bob')
    const missing = await gateway.get('/api/v1/runs/run-that-never-was', { ...who.alice, 'x-request-id': 'same' })
    const foreign = await gateway.get(`/api/v1/runs/${String(run?.id)}`, { ...who.alice, 'x-request-id': 'same' })
    expect([foreign.status, await foreign.text()]).toEqual([missing.status, await missing.text()])
    expect((await gateway.get('/api/v1/sessions/only-bob', who.alice)).status).toBe(404)
    expect(await items('/api/v1/runs?session=only-bob', 'alice')).toEqual([])
  })

  test('sessions with the same name are apart', async () => {
    expect(await items('/api/v1/sessions', 'alice')).toMatchObject([{ session: 'shared', runs: 2 }])
    expect(await items('/api/v1/sessions', 'bob')).toMatchObject([
      { session: 'only-bob', runs: 1 },
      { session: 'shared', runs: 3 },
    ])
    expect(await items('/api/v1/sessions', 'operator')).toMatchObject([{ session: 'only-bob' }, { session: 'shared', runs: 5 }])
    const session = await json('/api/v1/sessions/shared', 'alice')
    expect(session).toMatchObject({ runs: 2, statuses: { unresolved: 2 } })
    expect((session.newest as { items: { key: string }[] }).items.map(({ key }) => key)).toEqual(['alice', 'alice'])
  })

  test('counters count its own runs', async () => {
    for (const path of ['/api/v1/stats', '/api/v1/summary']) {
      const totals = await Promise.all((['alice', 'bob', 'operator'] as const).map((key) => json(path, key)))
      expect(totals.map(({ runs, codes }) => [runs, codes])).toEqual(
        [2, 4, 6].map((runs) => [runs, [{ validator: 'max_words', code: 'MAX_WORDS', runs }]]),
      )
    }
    expect(await json('/api/v1/summary?key=bob', 'alice')).toMatchObject({ runs: 0, keys: [] })
    expect(await json('/api/v1/summary?key=bob', 'operator')).toMatchObject({ runs: 4, keys: [{ key: 'bob', runs: 4 }] })
    expect(await items('/api/v1/runs?key=bob', 'alice')).toEqual([])
    expect(await items('/api/v1/runs?key=bob', 'operator')).toHaveLength(4)
  })

  test('the live feed tells its own runs, those that it missed and those that come', async () => {
    const told = await Promise.all(
      (['alice', 'bob', 'operator'] as const).map(async (key) => {
        const reader = (await gateway.get('/api/v1/live?cursor=0', who[key])).body?.getReader()
        let events = ''
        const more = async (): Promise<void> => {
          events += Buffer.from((await reader?.read())?.value ?? []).toString()
        }
        while (!events.includes('event: runs')) await more()
        return { key, more, events: () => events, end: () => reader?.cancel() }
      }),
    )
    for (const key of ['bob', 'alice'] as const) await gateway.post('/v1/chat/completions', bodies['/v1/chat/completions'], who[key])
    const names = (events: string) => [...events.matchAll(/"key":"(\w+)"/g)].map(([, name]) => name)
    for (const { key, more, events, end } of told) {
      const expected = key === 'alice' ? 3 : key === 'bob' ? 5 : 8
      while (names(events()).length < expected) await more()
      expect(names(events())).toHaveLength(expected)
      expect(new Set(names(events()))).toEqual(new Set(key === 'operator' ? ['alice', 'bob'] : [key]))
      await end()
    }
  })
})

describe('a reload', () => {
  const configOf = (gateway: TestGateway, variables: Readonly<Record<string, string>>): Promise<GatewayConfig> =>
    readGatewayConfig(yaml.replaceAll('$UP', gateway.upstream.url), 'test.yaml', {
      env: { UP_KEY: 'upstream-secret-key', ...variables },
      readFile: () => Promise.reject(new Error('no files here')),
      cwd: gateway.folder,
    })

  test('that removes all keys lets only loopback names in, and one that adds keys any name', async () => {
    const gateway = await start()
    const evil = { host: 'evil.example' }
    const read = (headers: Readonly<Record<string, string>>) => statusOf(gateway.url, 'GET', '/api/v1/runs', headers)
    expect(await read({ ...who.alice, ...evil })).toBe(200)
    await gateway.reload(await configOf(gateway, {}))
    expect([await read(evil), await read({ ...who.alice, ...evil }), await read({})]).toEqual([403, 403, 200])
    await gateway.reload(await configOf(gateway, env))
    expect([await read(evil), await read({ ...who.alice, ...evil })]).toEqual([401, 200])
  })

  test('changes what a key may do, and ends the live feed of one that is gone', async () => {
    const gateway = await start()
    const live = await gateway.get('/api/v1/live', who.alice)
    expect(live.status).toBe(200)
    await gateway.reload(await configOf(gateway, { STICKLER_OPERATOR_KEYS: 'alice:key-of-alice-0123456789' }))
    expect(await live.text()).toContain('event: ready')
    expect(await statusOf(gateway.url, 'GET', '/metrics', who.alice)).toBe(200)
    expect(await statusOf(gateway.url, 'POST', '/v1/chat/completions', who.alice)).toBe(403)
    expect(await statusOf(gateway.url, 'GET', '/api/v1/runs', who.bob)).toBe(401)
  })
})

test('metrics on a listener for operators are kept from web pages that call it by a name of their own', async () => {
  const { adminUrl = '' } = await start({ yaml: withAdmin })
  const { port } = new URL(adminUrl)
  for (const host of ['evil.example', `evil.example:${port}`]) expect(await statusOf(adminUrl, 'GET', '/metrics', { host })).toBe(403)
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) expect(await statusOf(adminUrl, 'GET', '/metrics', { host })).toBe(200)
  expect(await statusOf(adminUrl, 'GET', '/healthz', { host: 'evil.example' })).toBe(200)
})
