import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { breakingOff, failing } from '../../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const messages = [{ role: 'user', content: 'Tabs or spaces?' }]
const bodies: Readonly<Record<string, object>> = {
  '/v1/chat/completions': { messages },
  '/v1/responses': { input: 'Tabs or spaces?' },
  '/v1/messages': { messages, max_tokens: 9 },
}

describe.each(Object.entries(bodies))('%s', (path, body) => {
  test.each([
    ['breif', 'brief'],
    ['Plain', 'plain'],
  ])('does not know %s, but something close', async (model, close) => {
    const response = await gateway.post(path, { ...body, model })
    expect(response.status).toBe(404)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(error).toMatchObject({ param: 'model', code: 'model_not_found' })
    expect(error.message).toContain(`did you mean "${close}"?`)
  })

  it('tells the verdict in headers', async () => {
    gateway.upstream.enqueue(answering('That depends on so many things.'), answering('Use spaces.'))
    const { headers } = await gateway.post(path, { ...body, model: 'brief' })
    expect([...headers].filter(([name]) => name.startsWith('x-stickler'))).toEqual([
      ['x-stickler-attempts', '2'],
      ['x-stickler-contract', 'brief'],
      ['x-stickler-status', 'valid'],
    ])
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/)
  })

  test.each([
    ['marked', [answering('Hello there.')], 200, 'repaired', '1'],
    ['plain', [answering('Hello there.')], 200, 'unenforced', '1'],
    ['brief', [answering('one two three four five six'), answering('one two three four five six seven')], 422, 'unresolved', '2'],
    ['brief', [failing(503)], 503, 'failed', '1'],
  ])('tells of every end: %s', async (model, answers, status, verdict, attempts) => {
    gateway.upstream.enqueue(...answers)
    const { headers, status: got } = await gateway.post(path, { ...body, model })
    expect([got, headers.get('x-stickler-status'), headers.get('x-stickler-attempts')]).toEqual([status, verdict, attempts])
    expect(headers.get('x-stickler-contract')).toBe(model === 'plain' ? '' : model)
    expect(headers.get('x-should-retry')).toBe(status === 422 ? 'false' : null)
  })

  it('keeps the request id of a client, and records the run under it', async () => {
    const id = `req-of-client${path.replaceAll('/', '-')}`
    const { headers } = await gateway.post(path, { ...body, model: 'plain' }, { 'x-request-id': id })
    expect(headers.get('x-request-id')).toBe(id)
    const runs = async () => ((await (await gateway.get('/api/v1/runs')).json()) as { items: { requestId: string }[] }).items
    await expect.poll(async () => (await runs()).map(({ requestId }) => requestId)).toContain(id)
  })
})

describe('fields that would weaken the contract', () => {
  const stickler = {
    contract: 'plain',
    mode: 'shadow',
    checks: [],
    retries: 0,
    stream: 'pass',
    unchecked: 'deliver',
    exempt: true,
    upstream: 'other',
    task: 'title_generation',
  }

  it.each(Object.keys(stickler))('are refused before anything is called: %s', async (name) => {
    const before = gateway.upstream.requests.length
    const fields = { model: 'brief', messages, stickler: { [name]: stickler[name as keyof typeof stickler] } }
    const response = await gateway.post('/v1/chat/completions', fields)
    expect([response.status, await response.json()]).toEqual([400, { error: expect.objectContaining({ param: `stickler.${name}` }) }])
    expect(gateway.upstream.requests.length).toBe(before)
  })

  it.each([false, true])('have no effect in headers, and are logged; streamed: %s', async (stream) => {
    const before = gateway.upstream.requests.length
    const lines = gateway.logLines.length
    gateway.upstream.enqueue(answering('one two three four five six'), answering('Use spaces.'))
    const response = await gateway.post(
      '/v1/chat/completions',
      { model: 'brief', messages, stream, contract: 'plain', api_base: 'http://evil.example', extra_headers: { a: 'b' } },
      { 'x-stickler-contract': 'plain', 'x-stickler-mode': 'shadow', 'x-stickler-task': 'title_generation' },
    )
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text.replaceAll(/"\},"finish_reason":null\}\]\}\n\ndata: .*?"content":"/g, '')).toContain('Use spaces.')
    expect(text).not.toContain('one ')
    const calls = gateway.upstream.requests.slice(before)
    expect(calls).toHaveLength(2)
    for (const { body, headers } of calls) {
      expect(body).not.toMatch(/stickler|api_base|extra_headers/)
      expect(Object.keys(headers).filter((name) => name.startsWith('x-stickler'))).toEqual([])
    }
    const warnings = gateway.logLines.slice(lines).map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(warnings).toContainEqual(
      expect.objectContaining({
        msg: 'a client tried to override server-side settings',
        count: 2,
        requestId: response.headers.get('x-request-id'),
      }),
    )
  })

  it('are not logged where there are none', async () => {
    const lines = gateway.logLines.length
    await gateway.post('/v1/chat/completions', { model: 'plain', messages, stickler: { session: 's', progress: true, question: 'q' } })
    expect(gateway.logLines.slice(lines).join('')).not.toContain('override server-side settings')
  })
})

test.each([
  ['a text', 'x'],
  ['a list', [1]],
  ['a number', 7],
])('a stickler field that is %s is refused', async (_, stickler) => {
  const response = await gateway.post('/v1/chat/completions', { model: 'plain', messages, stickler })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { param: 'stickler' } })
})

it('has no questions where none are configured', async () => {
  const response = await gateway.post('/ask', { question: 'Why?' })
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ ok: false, error: expect.stringContaining('not configured') })
})

it('passes traces on, and no other header', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await gateway.post(
    '/v1/chat/completions',
    { model: 'plain', messages },
    { traceparent, 'x-evil': '1', cookie: 'a=b', authorization: 'Bearer mine' },
  )
  const { headers } = gateway.upstream.requests.at(-1) ?? {}
  expect(headers).toMatchObject({ traceparent, authorization: 'Bearer upstream-secret-key' })
  expect(headers).not.toHaveProperty('x-evil')
  expect(headers).not.toHaveProperty('cookie')
})

test.each([1, 2])('a stream that nobody asked for and that breaks off is neither asked for again nor free (n: %i)', async (n) => {
  const patient = await startTestGateway({
    yaml: `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 2 }]
routes: [{ model: plain, upstream: up }]
`,
  })
  try {
    patient.upstream.enqueue(breakingOff('a text of several words', 4, { more: ['another text of words'] }))
    const response = await patient.post('/v1/chat/completions', { model: 'plain', messages, n })
    expect(response.status).toBe(502)
    expect(patient.upstream.requests).toHaveLength(1)
    const paid = async () => {
      const page = (await (await patient.get('/api/v1/runs')).json()) as { items: { usage: { completionTokens: number } }[] }
      return page.items.filter(({ usage }) => usage.completionTokens > 0).length
    }
    await expect.poll(paid).toBeGreaterThan(0)
  } finally {
    await patient.close()
  }
})
