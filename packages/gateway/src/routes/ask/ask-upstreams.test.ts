import { afterAll, beforeAll, expect, test } from 'vitest'
import { usualQuestion, usualSources } from '../../testing/ask-gateway.ts'
import { closedPort } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { failing } from '../../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  const gone = await closedPort()
  gateway = await startTestGateway({
    yaml: `
upstreams:
  - { name: acme, kind: openai, baseUrl: $UP/acme/v1, model: m, retries: 0 }
  - { name: bravo, kind: openai, baseUrl: $UP/bravo/v1, model: m, retries: 0 }
  - { name: eu, kind: openai, baseUrl: $UP/eu/v1, provider: groq, model: m, retries: 0 }
  - { name: us, kind: openai, baseUrl: $UP/us/v1, provider: groq, model: m, retries: 0 }
  - { name: down, kind: openai, baseUrl: "${gone}", model: m, retries: 0 }
  - { name: out, kind: openai, baseUrl: "${gone}", provider: groq, model: m, retries: 0 }
  - { name: lost, kind: openai, baseUrl: "http://no-such-host.invalid/v1", model: m, retries: 0 }
contracts: { any: { checks: [] }, short: { checks: [{ max_words: { limit: 2 } }], repair: never, retries: 1, stream: hold } }
routes: [{ model: any, upstream: acme, contract: any }, { model: short, upstream: acme, fallback: [bravo], contract: short }]
ask: { upstreams: [acme, bravo, eu, us, down, out, lost], cache: { enabled: true } }`,
  })
  gateway.upstream.otherwise((exchange) => answering(`Answer of ${exchange.request.path.split('/')[1]}[^1].`)(exchange))
})
afterAll(() => gateway.close())

async function ask(provider: string, question: string, stream = false) {
  const before = gateway.upstream.requests.length
  const response = await gateway.post('/ask', { question, sources: usualSources, provider, stream })
  const text = await response.text()
  const calls = gateway.upstream.requests.slice(before).map(({ path }) => path.split('/')[1])
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    verdict: response.headers.get('x-stickler-status'),
    text,
    calls,
  }
}

async function lastRun(): Promise<Record<string, unknown>> {
  const { items } = (await (await gateway.get('/api/v1/runs?limit=1')).json()) as { items: Record<string, unknown>[] }
  return items[0] ?? {}
}

async function lastAudit(): Promise<Record<string, unknown>> {
  const { items } = (await (await gateway.get('/api/v1/audit?limit=1')).json()) as { items: { row: Record<string, unknown> }[] }
  return items[0]?.row ?? {}
}

function lastLine(): Record<string, unknown> {
  const lines = gateway.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return lines.findLast(({ upstream }) => upstream !== undefined) ?? {}
}

test('no upstream gives the answer that another one gave, whatever their provider is called', async () => {
  for (const name of ['acme', 'bravo', 'eu', 'us']) {
    const first = await ask(name, usualQuestion)
    expect([first.status, first.calls]).toEqual([200, [name]])
    expect(JSON.parse(first.text)).toMatchObject({ answer: `Answer of ${name}[^1].`, cache_hit: false })
  }
  for (const name of ['acme', 'bravo', 'eu', 'us']) {
    const hit = await ask(name, usualQuestion)
    expect(hit.calls).toEqual([])
    expect(JSON.parse(hit.text)).toMatchObject({ answer: `Answer of ${name}[^1].`, cache_hit: true })
  }
})

test.each([
  ['bravo', 'bravo'],
  ['us', 'groq'],
])('the reply of %s names the provider %s, the records name the upstream', async (upstream, provider) => {
  for (const stream of [false, true]) {
    const { text } = await ask(upstream, `Who answers ${stream}?`, stream)
    expect(text).toContain(`"provider":"${provider}"`)
    await expect.poll(lastRun).toMatchObject({ upstream, status: 'valid', stream })
    await expect.poll(lastAudit).toMatchObject({ upstream, provider })
    expect(lastLine()).toMatchObject({ upstream })
  }
})

test('the seed that an upstream takes is known by its kind, however the upstream is called', async () => {
  await ask('bravo', 'Is a seed sent?')
  expect(gateway.upstream.requests.at(-1)?.json).toHaveProperty('seed')
})

test.each([false, true])('an answer that was kept is recorded as valid after a provider that failed; streamed: %s', async (stream) => {
  const question = `Kept for later, ${stream}?`
  await ask('bravo', question)
  const { status, text, calls } = await ask('down,bravo', question, stream)
  expect([status, calls]).toEqual([200, []])
  expect(text).toContain('"cache_hit":true')
  await expect.poll(lastRun).toMatchObject({ upstream: 'bravo', status: 'valid', reason: 'cached', httpStatus: 200, stream })
  expect(lastLine()).toMatchObject({ upstream: 'bravo', verdict: 'valid' })
})

test('when all providers fail, the stream lists the same attempts as the reply', async () => {
  const whole = await ask('down,out', 'Nobody?')
  const streamed = await ask('down,out', 'Nobody?', true)
  const { attempts, error } = JSON.parse(whole.text)
  expect([whole.status, attempts.map(({ provider }: { provider: string }) => provider)]).toEqual([503, ['down', 'out (groq)']])
  const last = JSON.parse(streamed.text.split('event: error\ndata: ')[1] ?? '{}')
  expect(last).toEqual({ attempts, code: 503, message: error })
  await expect.poll(lastRun).toMatchObject({ upstream: 'out', status: 'failed', httpStatus: 503 })
})

test('the attempts say what happened: a refused connection, DNS, an open circuit', async () => {
  const codes = async () => {
    const { text } = await ask('down,lost', 'What happened?')
    const { attempts, error } = JSON.parse(text) as { attempts: { code: string; detail: string }[]; error: string }
    expect(error).toBe(`all providers failed: [down: ${attempts[0]?.detail}] [lost: ${attempts[1]?.detail}]`)
    expect(error).not.toMatch(/status \d|127\.0|invalid/)
    return attempts.map(({ code }) => code)
  }
  const audited = async () => {
    const { items } = (await (await gateway.get('/api/v1/audit?limit=2')).json()) as { items: { row: Record<string, unknown> }[] }
    return items.map(({ row: { upstream, failure } }) => ({ upstream, failure })).reverse()
  }
  expect(await codes()).toEqual(['connection_refused', 'dns'])
  await expect.poll(audited).toEqual([
    { upstream: 'down', failure: { code: 'connection_refused', detail: 'the connection to the provider was refused', kind: 'connection' } },
    { upstream: 'lost', failure: { code: 'dns', detail: 'the name of the provider could not be resolved (DNS)', kind: 'connection' } },
  ])
  await expect.poll(codes, { timeout: 10_000 }).toEqual(['circuit_open', 'circuit_open'])
  const detail = 'its circuit is open: the provider failed too often and was not called'
  const failure = { code: 'circuit_open', detail, kind: 'circuit_open' }
  await expect.poll(audited).toEqual(['down', 'lost'].map((upstream) => ({ upstream, failure })))
})

test.each([false, true])('a route that fails over keeps one number of judged answers; streamed: %s', async (stream) => {
  const before = gateway.upstream.requests.length
  gateway.upstream.enqueue(answering('One two three.'), failing(502), answering('Four five six.'), answering('Fine.'))
  const response = await gateway.post('/v1/chat/completions', { model: 'short', stream, messages: [{ role: 'user', content: 'Hi' }] })
  expect([response.status, response.headers.get('x-stickler-attempts')]).toEqual([422, '2'])
  const calls = gateway.upstream.requests.slice(before).map(({ path }) => path.split('/')[1])
  expect(calls).toEqual(['acme', 'acme', 'bravo'])
  // What was not asked for.
  await gateway.post('/v1/chat/completions', { model: 'any', messages: [{ role: 'user', content: 'Hi' }] })
})

test.each([
  ['a provider that nobody has', { provider: 'nobody' }, 400],
  ['a model that nobody has', { provider: 'acme', model: 'x', question: 'Other?' }, 400],
])('a streamed question for %s is refused by its status', async (_, body, status) => {
  const asked = { question: usualQuestion, sources: usualSources, ...body }
  const [whole, streamed] = [await gateway.post('/ask', asked), await gateway.post('/ask', { ...asked, stream: true })]
  expect([streamed.status, await streamed.text()]).toEqual([status, await whole.text()])
})
