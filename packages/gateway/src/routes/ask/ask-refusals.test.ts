import { type OutgoingHttpHeaders, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type AskGateway, startAskGateway, usualQuestion, usualSources } from '../../testing/ask-gateway.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { failing } from '../../testing/programmable-upstream-faults.ts'

let asking: AskGateway
beforeAll(async () => {
  asking = await startAskGateway('{ upstreams: [first, second], audit: { question: true } }')
  asking.upstream.otherwise(answering('Green[^1].'))
})
afterAll(() => asking.close())

let count = 0

/** Sends a body as it is, and returns its status with its rows in the audit, which are written before the reply. */
async function send(body: string, headers: Readonly<Record<string, string>> = {}, to = asking) {
  const user = `user-${count++}`
  const response = await to.gateway.post('/ask', body, { 'x-stickler-user': user, ...headers })
  const text = await response.text()
  await expect.poll(async () => (await rowsOf(user, to)).length, soon).toBeGreaterThan(0)
  return { status: response.status, text, rows: await rowsOf(user, to) }
}

/** Rows can be read soon after they are safe. */
const soon = { timeout: 10_000 }

const rowsOf = async (user: string, to = asking) => (await to.audit()).filter((row) => row.user === user)
const question = (more: object = {}): string => JSON.stringify({ question: usualQuestion, sources: usualSources, ...more })

describe('every refusal has its audit row', () => {
  test.each<[string, string, Readonly<Record<string, string>>, number, object]>([
    ['no JSON', '{', {}, 400, { failure: { kind: 'invalid_json' } }],
    ['no object', '[]', {}, 400, { failure: { kind: 'not_an_object' } }],
    ['no question', '{}', {}, 400, { failure: { kind: 'request', detail: expect.stringContaining('question') } }],
    ['an unknown field', question({ base_url: 'http://evil' }), {}, 400, { failure: { detail: expect.stringContaining('base_url') } }],
    ['an unknown provider', question({ provider: 'opnai' }), {}, 400, { failure: { detail: expect.stringContaining('openai') } }],
    ['an unknown model', question({ model: 'gpt-z' }), {}, 400, { failure: { detail: expect.stringContaining('gpt-x') } }],
    ['a number without end', question().replace('"Grass', '1e400,"x":"Grass'), {}, 400, { failure: { kind: 'request' } }],
    ['another type', question(), { 'content-type': 'text/plain' }, 415, { failure: { kind: 'unsupported_content_type' } }],
    ['a foreign page', question(), { origin: 'https://evil.example' }, 403, { failure: { kind: 'origin_not_allowed' } }],
    [
      'too many sources',
      question({ sources: Array.from({ length: 1001 }, (_, index) => ({ urn: `u${index}`, payload: '' })) }),
      {},
      413,
      { limit: 'max_sources', cut: { sources_count: 1001 }, sources_urns: { length: 100 } },
    ],
    [
      'a source that is too large',
      question({ sources: [{ urn: 'u', payload: 'x'.repeat(300_000) }] }),
      {},
      413,
      { limit: 'max_source_bytes' },
    ],
    ['a prompt that is too long', question({ question: 'why '.repeat(10_000) }), {}, 413, { limit: 'max_prompt_tokens' }],
    [
      'all that, streamed',
      question({ sources: [{ urn: 'u', payload: 'x'.repeat(300_000) }], stream: true }),
      {},
      413,
      { limit: 'max_source_bytes' },
    ],
  ])('%s', async (_, body, headers, status, row) => {
    const sent = await send(body, headers)
    expect(sent.status).toBe(status)
    expect(sent.rows).toMatchObject([{ status: 'refused', ...row }])
    expect(JSON.stringify(sent.rows).length).toBeLessThan(20_000)
    expect(sent.text.length).toBeLessThan(1000)
  })

  it('a body that is too large, by its header and by its size', async () => {
    const { bodyLimit } = asking.gateway.config.server
    expect(await send(question({ question: 'x'.repeat(bodyLimit) }))).toMatchObject({
      status: 413,
      rows: [{ status: 'refused', failure: { kind: 'body_too_large' } }],
    })
  })

  it('a header that is there twice, and another method', async () => {
    const statusOf = (user: string, method: string, headers: OutgoingHttpHeaders) =>
      new Promise((resolve, reject) => {
        const all = { 'content-type': 'application/json', ...headers, 'x-stickler-user': user }
        const sent = request(`${asking.gateway.url}/ask`, { method, headers: all }, (response) => resolve(response.resume().statusCode))
        sent.on('error', reject).end(method === 'POST' ? question() : undefined)
      })
    expect(await statusOf('twice', 'POST', { 'x-api-key': ['a', 'b'] })).toBe(400)
    expect(await statusOf('reader', 'GET', {})).toBe(405)
    await expect.poll(() => rowsOf('twice'), soon).toMatchObject([{ status: 'refused' }])
    await expect.poll(() => rowsOf('reader'), soon).toMatchObject([{ status: 'refused', failure: { kind: 'method_not_allowed' } }])
  })

  it('too many at once', async () => {
    const narrow = await startAskGateway('{ upstreams: [first] }', { yaml: 'server: { port: 0, inFlight: 1 }\n' })
    try {
      narrow.upstream.otherwise(answering('Green[^1].', { delayMs: 1500 }))
      const first = narrow.ask()
      await expect.poll(() => narrow.upstream.requests.length, soon).toBe(1)
      const refused = await narrow.ask({}, { 'x-stickler-user': 'late' })
      expect([refused.status, (await first).status]).toEqual([503, 200])
      await expect
        .poll(() => rowsOf('late', narrow), soon)
        .toMatchObject([{ status: 'refused', failure: { kind: 'overloaded' }, cost_usd: null }])
    } finally {
      await narrow.close()
    }
  })

  it('names the field that is too large', async () => {
    const { text } = await send(question({ sources: Array.from({ length: 1001 }, () => 0) }))
    expect(JSON.parse(text)).toEqual({ ok: false, error: '1001 sources exceed max_sources=1000', limit: 'max_sources', param: 'sources' })
  })

  it('a key that is wrong, one that is missing, and one that has used its budget', async () => {
    const guarded = await startAskGateway('{ upstreams: [first] }', {
      yaml: 'server: { port: 0, perKey: { requestsPerMinute: 1 } }\n',
      env: { STICKLER_KEYS: 'alice:alice-key-0123456789', STICKLER_OPERATOR_KEYS: 'olga:olga-key-0123456789' },
      headers: { authorization: 'Bearer olga-key-0123456789' },
    })
    try {
      guarded.upstream.otherwise(answering('Green[^1].'))
      const unknown = { status: 'refused', tenant: null, failure: { kind: expect.any(String), detail: expect.any(String) } }
      expect(await send(question(), {}, guarded)).toMatchObject({ status: 401, rows: [unknown] })
      expect(await send(question(), { authorization: 'Bearer wrong' }, guarded)).toMatchObject({ status: 401, rows: [unknown] })
      const alice = { authorization: 'Bearer alice-key-0123456789' }
      const statuses = [
        await send(question(), alice, guarded),
        await send(question(), alice, guarded),
        await send(question(), alice, guarded),
      ]
      expect(statuses.map(({ status }) => status)).toContain(429)
      for (const { status, rows } of statuses) if (status === 429) expect(rows).toMatchObject([{ status: 'refused', tenant: 'alice' }])
    } finally {
      await guarded.close()
    }
  })
})

describe('a failed question', () => {
  it('is recorded under the upstream that failed', async () => {
    const runs = async () =>
      (await (await asking.gateway.get('/api/v1/runs?limit=1')).json()) as { items: { upstream: string; model: string }[] }
    asking.upstream.enqueue(failing(400))
    expect((await send(question())).rows).toMatchObject([{ provider: 'openai', status: 'failed' }])
    await expect.poll(async () => (await runs()).items[0], soon).toMatchObject({ upstream: 'first', model: 'gpt-x' })
    asking.upstream.enqueue(failing(500), failing(500))
    const user = 'both-fail'
    const reply = await asking.gateway.post('/ask', question(), { 'x-stickler-user': user })
    const detail = 'the provider answered with status 500'
    expect([reply.status, await reply.json()]).toEqual([
      503,
      {
        ok: false,
        error: `all providers failed: [first (openai): ${detail}] [second (groq): ${detail}]`,
        attempts: [
          { provider: 'first (openai)', code: 'status', detail },
          { provider: 'second (groq)', code: 'status', detail },
        ],
      },
    ])
    await expect.poll(() => rowsOf(user), soon).toMatchObject([{ provider: 'groq' }, { provider: 'openai' }])
    await expect.poll(async () => (await runs()).items[0], soon).toMatchObject({ upstream: 'second', model: 'llama-x' })
  })

  it('costs what the model that was named costs', async () => {
    asking.upstream.enqueue(answering('Green[^1].', { usage: { prompt: 100, completion: 10 } }))
    const { text } = await send(question({ model: 'gpt-y' }))
    expect(JSON.parse(text)).toMatchObject({ model: 'gpt-y', cost_usd: 0.0012 })
  })
})

describe('bodies of any shape', () => {
  const odd = fc.oneof(
    fc.constantFrom(
      '1e400',
      '-1e400',
      '1e-400',
      '-0',
      '18446744073709551616',
      '"1e400"',
      'null',
      'true',
      '""',
      '[]',
      '{}',
      '"\\ud800"',
      '"\\u0000"',
    ),
    fc.json({ maxDepth: 3 }),
    fc.array(fc.constantFrom('1e400', '0', '"x"'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
  )
  const source = fc.record({ urn: fc.oneof(odd, fc.constant('"urn:a"')), payload: odd, version: odd }, { requiredKeys: [] }).map(written)
  const body = fc
    .record(
      {
        question: fc.oneof({ weight: 4, arbitrary: fc.constant('"Which colour is grass?"') }, odd),
        sources: fc.oneof(
          fc.array(source, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
          fc.constant('[{"urn":"u","payload":"x"}]'),
          odd,
        ),
        strict: odd,
        provider: fc.oneof(fc.constant('"openai"'), odd),
        model: fc.oneof(fc.constantFrom('"gpt-x"', '"gpt-y"'), odd),
        temperature: odd,
        seed: odd,
        stream: odd,
        cache: fc.oneof(fc.constantFrom('"5m"', '{"ttl":"1e400d"}'), odd),
        toString: odd,
      },
      { requiredKeys: [] },
    )
    .map(written)

  it('are never a 500, always audited, and refusals name a field', async () => {
    const bodies = fc.sample(body, 150)
    const first = count
    count += bodies.length
    const statuses = await Promise.all(
      bodies.map(async (one, index) => {
        const response = await asking.gateway.post('/ask', one, { 'x-stickler-user': `user-${first + index}` })
        return [one, response.status, await response.text()] as const
      }),
    )
    for (const [one, status, text] of statuses) {
      expect([200, 400, 413, 422], one).toContain(status)
      if (status === 400) expect(JSON.parse(text), one).toMatchObject({ ok: false, error: expect.any(String) })
    }
    const wanted = bodies.map((_, index) => `user-${first + index}`)
    await expect
      .poll(async () => {
        const users = new Set((await asking.audit()).map(({ user }) => user))
        return wanted.filter((user) => !users.has(user))
      }, soon)
      .toEqual([])
  })
})

describe('very many sources', () => {
  it('are refused without work that blocks others', async () => {
    const body = question({ sources: Array.from({ length: 100_000 }, (_, index) => ({ urn: `urn:${index}`, payload: 'x' })) })
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const { status, rows } = await send(body)
    delay.disable()
    expect(status).toBe(413)
    expect(rows[0]).toMatchObject({ cut: { sources_count: 100_000 } })
    // A generous cap against hanging: reading 3 MB of JSON takes its time too, and machines are busy.
    expect(delay.max / 1e6).toBeLessThan(10_000)
  })
})

function written(fields: Readonly<Record<string, string | undefined>>): string {
  const members = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${JSON.stringify(name)}:${value}`]))
  return `{${members.join(',')}}`
}
