import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
server: { port: 0, perKey: { tokensPerDay: 100000 } }
store: { keepText: true }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }]
contracts:
  brief: { checks: [{ max_words: { limit: 2 } }], retries: 1 }
  calm: { checks: [{ contains: { none: [sorry, secret-of-upstream] } }], retries: 0 }
routes: [{ model: plain, upstream: up }, { model: brief, upstream: up, contract: brief }, { model: 'calm-*', upstream: up, contract: calm }]
`
const env = {
  UP_KEY: 'secret-of-upstream',
  STICKLER_KEYS: 'alice:key-of-alice-0123456789,bob:key-of-bob-0123456789',
  STICKLER_OPERATOR_KEYS: 'ops:key-of-operator-0123456789',
}
const as = (name: string) => ({ authorization: `Bearer key-of-${name}-0123456789` })
const [alice, bob, ops] = [as('alice'), as('bob'), as('operator')]
const hostile = '</script><img src=x onerror=alert(1)>\u0007\u202e\r\ndata: x'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml, env, behaviour: answering(`I am sorry ${hostile} indeed`) })
  const ask = (model: string, who: typeof alice, content: string) =>
    gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content }] }, who)
  await ask('brief', alice, 'What is the mitochondrion?')
  await ask('calm-1', alice, hostile)
  await ask('brief', bob, 'Private question of bob')
  await vi.waitFor(async () => expect(await list('/api/v1/runs', ops)).toHaveLength(3))
})
afterAll(() => gateway.close())

async function json(path: string, headers: Record<string, string>) {
  const response = await gateway.get(path, headers)
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
const list = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>[]> =>
  (await json(path, headers)).body.items as Record<string, unknown>[]
const send = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  fetch(`${gateway.url}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

test('who asks is told once what to filter by', async () => {
  const operator = (await json('/api/v1/me', ops)).body
  expect(operator).toMatchObject({ role: 'operator', key: 'ops', keepText: true, models: ['plain', 'brief'], contracts: ['brief', 'calm'] })
  expect(operator).toMatchObject({ upstreams: ['up'], keys: ['alice', 'bob'], features: { labels: true } })
  expect((await json('/api/v1/me', alice)).body).toMatchObject({ role: 'client', key: 'alice', contracts: [], upstreams: [], keys: [] })
})

describe('a client', () => {
  test.each(['runs', 'runs.jsonl', 'runs.csv', 'overview', 'sessions', 'stats', 'summary'])(
    'sees only its own runs in %s',
    async (path) => {
      const text = await (await gateway.get(`/api/v1/${path}`, alice)).text()
      expect(text).not.toMatch(/bob/)
      const foreign = path.startsWith('runs') ? ['key=bob', 'q=private', 'status=unresolved&status=failed&key=bob'] : []
      for (const query of foreign)
        expect(await (await gateway.get(`/api/v1/${path}?${query}`, alice)).text()).not.toMatch(/run_|rivate|bob/)
    },
  )

  test('cannot label, try, or look at the gateway', async () => {
    const [run] = await list('/api/v1/runs', alice)
    const path = `/api/v1/runs/${run?.id}/label`
    for (const who of [alice, bob]) {
      expect((await send('PUT', path, who, { label: 'good' })).status).toBe(403)
      expect((await send('DELETE', path, who)).status).toBe(403)
      expect((await send('POST', '/api/v1/try', who, { contract: 'brief', text: 'x' })).status).toBe(403)
      for (const other of ['gateway', 'contracts', 'contracts/stats']) expect((await json(`/api/v1/${other}`, who)).status).toBe(403)
    }
  })

  test('sums only its own runs, whatever it filters by', async () => {
    const runs = async (query: string, who: Record<string, string>) =>
      (await json(`/api/v1/overview?${query}`, who)).body.totals as { runs: number }
    await vi.waitFor(async () => expect((await json('/api/v1/overview', ops)).body.behind).toBeUndefined())
    expect([(await runs('', alice)).runs, (await runs('', bob)).runs, (await runs('', ops)).runs]).toEqual([2, 1, 3])
    expect([(await runs('key=bob', alice)).runs, (await runs('model=brief', alice)).runs]).toEqual([0, 1])
  })
})

test('a row shows everything without a second request', async () => {
  const [run] = await list('/api/v1/runs?key=alice&model=brief', ops)
  expect(run).toMatchObject({
    codes: ['max_words/MAX_WORDS'],
    classes: [],
    question: 'What is the mitochondrion?',
    addedMs: expect.any(Number),
  })
  expect(String(run?.answer)).toContain('onerror')
  const found = async (query: string) => (await list(`/api/v1/runs?${query}`, ops)).length
  expect(await found('code=MAX_WORDS&code=NONE')).toBe(2)
  expect(await found('validator=max_words&key=bob')).toBe(1)
  expect(await found('class=lossless')).toBe(0)
  // Words are found as soon as the runs have been counted.
  await vi.waitFor(async () => expect((await json('/api/v1/overview', ops)).body.behind).toBeUndefined())
  expect(await found('q=MITOCHONDRION')).toBe(1)
  expect(await found(`q=${encodeURIComponent('"onerror* OR (')}`)).toBe(0)
  expect(await found('q=onerror')).toBe(3)
})

test.each([
  ['runs?status=good', 'status'],
  ['runs?class=harmless', 'class'],
  ['runs?label=fine', 'label'],
  [`runs?${'model=m&'.repeat(1)}${Array.from({ length: 21 }, (_, index) => `model=m${index}`).join('&')}`, 'model'],
  [`runs?code=${'c'.repeat(257)}`, 'code'],
  ['runs?limit=1&limit=2', 'limit'],
  ['runs?cursor=%00', 'cursor'],
  ['runs?q=x&cursor=1_a', 'cursor'],
  ['overview?q=x', 'q'],
  ['overview?session=x', 'session'],
  ['overview?since=5&until=4', 'until'],
  ['overview?since=-1', 'since'],
  ['overview?until=8640000000000001', 'until'],
  ['contracts/stats?until=8640000000000001', 'until'],
  ['live?limit=3', 'limit'],
  ['live?q=x', 'q'],
  ['contracts/stats?model=x', 'model'],
])('number %$ is a 400 that names its parameter', async (path, param) => {
  expect(await json(`/api/v1/${path}`, ops)).toMatchObject({ status: 400, body: { error: { param } } })
})

test.each(['overview', 'contracts/stats', 'stats', 'summary'])('%s of all of time is told at once', async (path) => {
  for (const [since, until] of [
    [0, 8.64e15],
    [1, 8.64e15 - 1],
    [8.64e15 - 1, 8.64e15],
  ]) {
    let status = 0
    const took = await processorMs(async () => {
      status = (await json(`/api/v1/${path}?since=${since}&until=${until}`, ops)).status
    })
    expect(status).toBe(200)
    expect(took).toBeLessThan(3000)
  }
})

test('labels are stored, listed, filtered, counted and exported', async () => {
  const [run] = await list('/api/v1/runs?key=alice&model=brief', ops)
  const path = `/api/v1/runs/${run?.id}/label`
  const labelled = await send('PUT', path, ops, { label: 'good', note: hostile })
  expect([labelled.status, await labelled.text()]).toEqual([204, ''])
  expect((await list('/api/v1/runs?label=good', ops)).map(({ id, label }) => [id, label])).toEqual([[run?.id, 'good']])
  // What operators note is not for the client whose run it is.
  const { body: shown } = await json(`/api/v1/runs/${run?.id}`, as(String(run?.key)))
  expect(Object.keys(shown.label as object).toSorted()).toEqual(['at', 'label'])
  expect((await json(`/api/v1/runs/${run?.id}`, ops)).body).toMatchObject({ label: { label: 'good', note: hostile, by: 'ops' } })
  const stats = await list('/api/v1/contracts/stats', ops)
  expect(stats.find(({ contract }) => contract === 'brief')).toMatchObject({
    totals: { runs: 2 },
    rules: [{ validator: 'max_words', code: 'MAX_WORDS', runs: 2, labelled: { good: 1, bad: 0 } }],
  })
  const lines = (await (await gateway.get('/api/v1/runs.jsonl?label=good', ops)).text()).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      id: run?.id,
      label: 'good',
      note: hostile,
      question: 'What is the mitochondrion?',
      contract: 'brief',
      finish_reason: 'stop',
    }),
  ])
  for (const body of [{ label: 'fine' }, {}, { label: 'good', note: 'n'.repeat(1001) }, { label: 'good', by: 'me' }])
    expect((await send('PUT', path, ops, body)).status).toBe(400)
  expect((await send('PUT', '/api/v1/runs/none/label', ops, { label: 'bad' })).status).toBe(404)
  expect((await send('DELETE', path, ops)).status).toBe(204)
  expect(await list('/api/v1/runs?label=good', ops)).toEqual([])
})

test('the state of the gateway shows upstreams, budgets and the store, and no secret', async () => {
  const { status, body } = await json('/api/v1/gateway', ops)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    upstreams: [
      {
        name: 'up',
        kind: 'openai',
        models: ['plain', 'brief', 'calm-*'],
        breaker: 'closed',
        calls: 5,
        errors: 0,
        p50Ms: expect.any(Number),
      },
    ],
    keys: [{ name: 'alice', budgets: [{ limitTokens: 100_000, usedTokens: expect.any(Number) }] }, { name: 'bob' }],
    store: { ok: true, engine: 'sqlite', journal: { ok: true } },
    parser: null,
  })
  expect((body.keys as { budgets: { usedTokens: number }[] }[])[0]?.budgets[0]?.usedTokens).toBeGreaterThan(0)
  expect(JSON.stringify(body)).not.toMatch(/secret-of|key-of|127\.0\.0\.1/)
})

test('contracts are shown as YAML, without secrets', async () => {
  const contracts = await list('/api/v1/contracts', ops)
  expect(contracts.find(({ name }) => name === 'brief')?.yaml).toContain('max_words:\n      limit: 2')
  expect(JSON.stringify(contracts.map(({ yaml }) => yaml))).not.toContain('secret-of-upstream')
})

test('the live feed sends only runs that match', async () => {
  const aborted = new AbortController()
  const response = await fetch(`${gateway.url}/api/v1/live?code=MAX_WORDS`, { headers: alice, signal: aborted.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const post = (model: string, who: typeof alice) =>
    gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'again' }] }, who)
  await post('calm-2', alice)
  await post('brief', bob)
  await post('brief', alice)
  let text = ''
  while (!text.includes('event: runs')) text += (await reader?.read())?.value
  aborted.abort()
  const items = [...text.matchAll(/data: (\{"items".*\})/g)].flatMap(([, data]) => JSON.parse(data ?? '').items)
  expect(items.map(({ key, model }: { key: string; model: string }) => [key, model])).toEqual([['alice', 'brief']])
})

test('the first messages as sent, and when a reader of a stream had what, are kept', async () => {
  const sent = await gateway.post(
    '/v1/chat/completions',
    { model: 'plain', stream: true, messages: [{ role: 'user', content: 'Stream it' }] },
    alice,
  )
  expect(sent.status).toBe(200)
  await sent.text()
  const id = await vi.waitFor(async () => {
    const [run] = await list('/api/v1/runs?model=plain', ops)
    expect(run).toBeDefined()
    return String(run?.id)
  })
  const { body } = await json(`/api/v1/runs/${id}`, alice)
  expect(body.prompt).toEqual([{ role: 'user', text: 'Stream it' }])
  const points = String(body.timeline)
    .split(' ')
    .map((point) => point.split(':').map(Number))
  expect(points.at(-1)?.[1]).toBe(String(body.text).length)
  expect(points.find(([, shown = 0]) => shown > 0)?.[0]).toBe(Math.round(Number(body.firstTextMs)))
  const [brief] = await list('/api/v1/runs?model=brief', ops)
  const { prompt } = (await json(`/api/v1/runs/${brief?.id}`, ops)).body as { prompt: { role: string; text: string }[] }
  expect(prompt).toEqual([{ role: 'user', text: 'again' }])
})

test('reports of evaluations are listed and read, and nothing else of the folder', async () => {
  expect(await list('/api/v1/evaluations', ops)).toEqual([])
  const folder = join(gateway.config.store.folder, 'evaluations')
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'first.json'),
    JSON.stringify({ contract: 'brief', answers: 3, statuses: { valid: 3 }, cases: [{ text: hostile }] }),
  )
  await writeFile(join(folder, 'broken.json'), '{')
  await writeFile(join(folder, 'other.txt'), '{}')
  await mkdir(join(folder, 'folder.json'))
  const reports = await list('/api/v1/evaluations', ops)
  expect(reports.map(({ id }) => id).sort()).toEqual(['broken', 'first'])
  expect(reports.find(({ id }) => id === 'first')).toMatchObject({
    contract: 'brief',
    answers: 3,
    statuses: { valid: 3 },
    at: expect.any(Number),
  })
  expect(reports.find(({ id }) => id === 'first')).not.toHaveProperty('cases')
  expect((await json('/api/v1/evaluations/first', ops)).body).toMatchObject({ cases: [{ text: hostile }] })
  expect((await json('/api/v1/evaluations/broken', ops)).status).toBe(422)
  for (const id of ['none', 'other', 'folder', '..%2f..%2fstate', '%2e%2e', 'first%00', '.'])
    expect((await gateway.get(`/api/v1/evaluations/${id}`, ops)).status, id).toBe(404)
  expect((await json('/api/v1/evaluations', ops)).body).toMatchObject({ running: [] })
  expect((await json('/api/v1/evaluations', alice)).status).toBe(403)
})

test('a report is parsed again only when its time or size changes', async () => {
  const folder = join(gateway.config.store.folder, 'evaluations')
  const path = join(folder, 'again.json')
  await mkdir(folder, { recursive: true })
  const answersAfter = async (answers: number, second: number) => {
    await writeFile(path, JSON.stringify({ answers }))
    await utimes(path, second, second)
    return (await list('/api/v1/evaluations', ops)).find(({ id }) => id === 'again')?.answers
  }
  expect([await answersAfter(1, 1000), await answersAfter(2, 1000), await answersAfter(3, 1001), await answersAfter(44, 1001)]).toEqual([
    1, 1, 3, 44,
  ])
})

test('a repaired answer is exported and tried as the model wrote it', async () => {
  const config = `
server: { port: 0 }
store: { keepText: true }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY }]
contracts: { data: { checks: [json], retries: 0 } }
routes: [{ model: data, upstream: up, contract: data }]
`
  const written = { short: '{"a": 1,}', long: `{"a": "${'x'.repeat(262_144)}",}` }
  const other = await startTestGateway({
    yaml: config,
    env,
    behaviour: (exchange) => answering(JSON.stringify(exchange.request.json).includes('long') ? written.long : written.short)(exchange),
  })
  onTestFinished(() => other.close())
  for (const content of ['short', 'long'])
    await other.post('/v1/chat/completions', { model: 'data', messages: [{ role: 'user', content }] }, alice)
  const lines = await vi.waitFor(async () => {
    const found = (await (await other.get('/api/v1/runs.jsonl', ops)).text()).trimEnd().split('\n')
    expect(found).toHaveLength(2)
    return found.map((line) => JSON.parse(line) as Record<string, string>)
  })
  const [short, long] = ['short', 'long'].map((name) => lines.find(({ question }) => question === name))
  expect(short).toMatchObject({ status: 'repaired', text: written.short, finish_reason: 'stop' })
  expect(long).toMatchObject({ status: 'repaired', text: written.long })
  const tried = await other.post('/api/v1/try', { contract: 'data', run: short?.id }, ops)
  expect(await tried.json()).toMatchObject({ report: { status: 'repaired' } })
  const refused = await other.post('/api/v1/try', { contract: 'data', run: long?.id }, ops)
  expect([refused.status, await refused.json()]).toMatchObject([413, { error: { param: 'run', code: 'run_too_large' } }])
})

describe('a try', () => {
  const attempt = async (body: unknown) => {
    const response = await send('POST', '/api/v1/try', ops, body)
    return {
      status: response.status,
      body: (await response.json()) as { report?: Record<string, unknown>; contractErrors?: object[]; error?: object },
    }
  }

  test('judges an answer by a contract that is being written, and records nothing', async () => {
    const before = (await list('/api/v1/runs', ops)).length
    const yaml = 'checks:\n  - max_words: { limit: 3 }\n'
    expect(await attempt({ yaml, text: 'one two three four' })).toMatchObject({
      status: 200,
      body: { report: { status: 'unresolved', issues: [{ code: 'MAX_WORDS' }], text: 'one two three four' } },
    })
    expect((await attempt({ yaml, text: 'one two' })).body.report).toMatchObject({ status: 'valid' })
    expect((await attempt({ contract: 'brief', text: 'one two three' })).body.report).toMatchObject({
      status: 'unresolved',
      contract: 'brief',
    })
    expect((await attempt({ yaml: 'checks: [json]', text: '{"a": 1,}' })).body).toHaveProperty('report')
    const [run] = await list('/api/v1/runs?model=brief', ops)
    expect((await attempt({ yaml, run: run?.id })).body.report).toMatchObject({ status: 'unresolved' })
    expect((await list('/api/v1/runs', ops)).length).toBe(before)
  })

  test.each([
    ['checks: [max_wrods]', 1, /did you mean/],
    ['checks:\n  - max_words: { limit: -1 }', 2, /too small/],
    ['checks:\n  - max_words: {', 2, /./],
    ['just words', 1, /./],
    ['', 1, /./],
    [`a: &a [x]\nb: &b [${'*a,'.repeat(9)}*a]\nc: [${'*b,'.repeat(9)}*b]`, 1, /./],
    ['checks:\n  - command: { name: own, command: [touch, /tmp/never] }', 1, /./],
    ['checks:\n  - remote: { name: own, url: "http://127.0.0.1:9/x" }', 1, /./],
    ['checks:\n  - json: { schema: /etc/passwd }', 1, /./],
    [`checks: [${Array.from({ length: 101 }, () => '{ max_words: { limit: 1 } }').join(', ')}]`, 1, /at most 100/],
  ])('says what is wrong with contract %$', async (yaml, line, message) => {
    const { status, body } = await attempt({ yaml, text: 'x' })
    expect(status).toBe(200)
    expect(body.report).toBeUndefined()
    expect(body.contractErrors).toContainEqual(
      expect.objectContaining({ message: expect.stringMatching(message), line: expect.any(Number), column: expect.any(Number) }),
    )
    expect(body.contractErrors?.some((one) => 'line' in one && Number(one.line) >= line)).toBe(true)
    expect(JSON.stringify(body)).not.toContain('root:')
  })

  test.each([
    [{ text: 'x' }, 400],
    [{ yaml: 'checks: []', contract: 'brief', text: 'x' }, 400],
    [{ contract: 'brief' }, 400],
    [{ contract: 'none', text: 'x' }, 404],
    [{ contract: 'brief', run: 'none' }, 404],
    [{ contract: 'brief', text: 'x', root: '/' }, 400],
    [{ yaml: 'x'.repeat(65_537), text: 'x' }, 400],
    [{ contract: 'brief', text: 'x'.repeat(262_145) }, 400],
    [{ contract: ['brief'], text: 'x' }, 400],
  ])('number %$ is rejected', async (body, status) => {
    expect((await attempt(body)).status).toBe(status)
  })
})

test('one key cannot take all places of the live feed', async () => {
  const open = new AbortController()
  const listen = (headers: Record<string, string>) => fetch(`${gateway.url}/api/v1/live`, { headers, signal: open.signal })
  const statuses: number[] = []
  for (let count = 0; count < 18; count++) statuses.push((await listen(bob)).status)
  expect(statuses.filter((status) => status === 503)).toHaveLength(2)
  expect((await listen(alice)).status).toBe(200)
  open.abort()
  await vi.waitFor(async () => expect((await fetch(`${gateway.url}/api/v1/live`, { method: 'HEAD', headers: bob })).status).toBe(200))
})
