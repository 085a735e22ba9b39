import { refusalBody } from '@stickler/ask'
import { manualClock, type ScriptedTurn, scripted } from '@stickler/core/testing'
import { envelopeBytes } from '@stickler/presets/internal'
import { retryPrompt } from '@stickler/presets/reddb'
import { describe, expect, test } from 'vitest'
import { type Knobs, memoryAnswers, questions, request, sources, type TestQuestions, usage } from './testing/questions.ts'

const outOfRange = 'marker [^9] references source #9 but only 2 sources available'

describe('a question', () => {
  test('is answered with an envelope of exactly these keys, and audited', async () => {
    const { ask: put, audit } = questions([{ text: 'Prïcing[^1].', usage }])
    const reply = await put({ ...request, tenant: 't', user: 'u', role: 'r' })
    expect(reply).toEqual({
      ok: true,
      status: 200,
      verdict: 'valid',
      upstream: 'openai',
      envelope: {
        answer: 'Prïcing[^1].',
        cache_hit: false,
        citations: [{ marker: 1, source_index: 0, span: [8, 12], urn: 'urn:a' }],
        completion_tokens: 5,
        cost_usd: 0.25,
        mode: 'strict',
        model: 'm',
        prompt_tokens: 10,
        provider: 'openai',
        retry_count: 0,
        sources_flat: [
          { payload: 'Pricing drove churn.', urn: 'urn:a' },
          { payload: '{"k":"v"}', urn: 'urn:b' },
        ],
        validation: { errors: [], ok: true, warnings: [] },
      },
    })
    expect(audit.rows).toMatchObject([
      { status: 'valid', citations: [1], mode: 'strict', tenant: 't', user: 'u', role: 'r', retry_count: 0, validation_ok: true },
    ])
    expect(JSON.stringify(audit.rows)).not.toMatch(/churn|Prïcing/)
  })

  test('is asked once more, with the pinned prompt before the whole original and nothing of the rejected answer', async () => {
    const {
      ask: put,
      runner,
      audit,
    } = questions([
      { text: 'Bad[^9] secret.', usage },
      { text: 'Good[^2].', usage },
    ])
    const reply = await put(request)
    expect(reply).toMatchObject({ ok: true, envelope: { answer: 'Good[^2].', retry_count: 1, prompt_tokens: 20, cost_usd: 0.5 } })
    const [system, user] = (runner.calls[0]?.prompt ?? []) as readonly { readonly content: string }[]
    const pinned = retryPrompt([{ kind: 'out_of_range', detail: outOfRange }])
    expect(runner.calls.map(({ kind, prompt }) => ({ kind, prompt }))).toEqual([
      { kind: 'run', prompt: [system, user] },
      { kind: 'run', prompt: [system, { ...user, content: `${pinned}\n\n${user?.content}` }] },
    ])
    expect(JSON.stringify(runner.calls[1]?.prompt)).not.toContain('secret')
    expect(audit.rows).toMatchObject([{ status: 'valid', retry_count: 1 }])
  })

  test('is given up after exactly one retry, with the errors in order and no answer', async () => {
    const { ask: put, runner, audit } = questions(['a[^9]', 'é[^] b[^9]'])
    const reply = await put(request)
    expect(runner.calls).toHaveLength(2)
    expect(reply.status).toBe(422)
    expect(reply.ok ? '' : JSON.stringify(refusalBody(reply))).toBe(
      JSON.stringify({
        ok: false,
        error: 'ASK citation validation failed after retry',
        validation: {
          ok: false,
          warnings: [
            { kind: 'malformed', span: [2, 5], detail: 'empty marker body' },
            { kind: 'out_of_range', span: [7, 11], detail: outOfRange },
          ],
          errors: [
            { kind: 'malformed', detail: 'empty marker body' },
            { kind: 'out_of_range', detail: outOfRange },
          ],
        },
      }),
    )
    expect(audit.rows).toMatchObject([{ status: 'gave_up', retry_count: 1, validation_ok: false, errors: [{}, {}] }])
  })

  test('is answered with warnings when it is lenient, and not asked again', async () => {
    const { ask: put, runner } = questions(['a[^9]'])
    const reply = await put({ ...request, strict: false })
    expect(runner.calls).toHaveLength(1)
    expect(reply).toMatchObject({
      envelope: {
        mode: 'lenient',
        citations: [{ marker: 9, urn: null }],
        validation: { ok: true, errors: [], warnings: [{ kind: 'out_of_range', span: [1, 5], detail: outOfRange }] },
      },
    })
  })

  test('is lenient with a provider that cannot cite, and says so', async () => {
    const reply = await questions(['a[^9]'], { name: 'ollama' }).ask(request)
    expect(reply).toMatchObject({
      envelope: {
        mode: 'lenient',
        validation: {
          ok: true,
          warnings: [
            { kind: 'out_of_range' },
            {
              kind: 'mode_fallback',
              detail: "provider 'ollama' does not support reliable citation emission; strict mode downgraded to lenient",
            },
          ],
        },
      },
    })
  })

  test('may have no sources: then no marker is right', async () => {
    const bare = { question: 'q', sources: [] }
    expect(await questions(['none']).ask(bare)).toMatchObject({ ok: true, envelope: { citations: [], sources_flat: [] } })
    expect(await questions(['a[^1]', 'b[^1]']).ask(bare)).toMatchObject({ status: 422 })
  })

  test('gives the same bytes for the same answer', async () => {
    const bytes = async (): Promise<string> => {
      const reply = await questions(['x[^9]', 'Y is 42[^2][^1].']).ask(request)
      return reply.ok ? envelopeBytes(reply.envelope) : ''
    }
    const first = await bytes()
    expect(first).toMatch(
      /^\{"answer":"Y is 42\[\^2\]\[\^1\]\.","cache_hit":false,"citations":\[\{"marker":1,"source_index":0,"span":\[11,15\]/,
    )
    expect(await bytes()).toBe(first)
  })

  test.each(['ask', 'stream'] as const)(
    'is answered by what was cut off at the limit, with a warning and out of the cache: %s',
    async (way) => {
      const cut = { text: 'a[^1] and the', finishReason: 'max_tokens' }
      const { ask: put, stream, runner, audit } = questions([cut, cut], { caching: { enabled: true } })
      for (const calls of [1, 2]) {
        const streamed = way === 'stream' ? stream(request) : undefined
        if (streamed) for await (const _ of streamed);
        const reply = await (streamed ? streamed.reply : put(request))
        const warnings = [{ kind: 'truncated', detail: 'Finish the answer; it was cut off at the length limit.' }]
        expect(reply).toMatchObject({
          ok: true,
          verdict: 'valid',
          envelope: { retry_count: 0, validation: { ok: true, errors: [], warnings } },
        })
        expect(runner.calls).toHaveLength(calls)
      }
      expect(audit.rows).toMatchObject([{ status: 'valid' }, { status: 'valid' }])
    },
  )

  test('is not answered by what was cut off otherwise, refused, or cut off with wrong citations', async () => {
    const refused = { text: 'a[^1]', finishReason: 'content_filter' }
    expect(await questions([refused, refused]).ask(request)).toMatchObject({ status: 422, validation: { errors: [{ kind: 'refused' }] } })
    const aborted = { text: 'a[^1]', finishReason: 'abort' }
    expect(await questions([aborted, aborted]).ask(request)).toMatchObject({ status: 422, validation: { errors: [{ kind: 'truncated' }] } })
    const wrong = { text: 'a[^9]', finishReason: 'length' }
    expect(await questions([wrong, wrong]).ask(request)).toMatchObject({
      status: 422,
      validation: { errors: [{ kind: 'out_of_range' }], warnings: [{ kind: 'truncated' }, { kind: 'out_of_range', span: [1, 5] }] },
    })
  })

  test('is not answered by what could not be checked, unless leniently and marked so', async () => {
    const unknown = { text: 'a[^1]', finishReason: 'who_knows' }
    const strict = await questions([unknown]).ask(request)
    expect(strict).toMatchObject({ ok: false, status: 424, upstream: 'openai', error: 'the answer could not be checked' })
    const lenient = await questions([unknown]).ask({ ...request, strict: false })
    const detail = 'truncation could not run (unavailable)'
    expect(lenient).toMatchObject({ ok: true, envelope: { validation: { ok: true, warnings: [{ kind: 'unchecked', detail }] } } })
  })
})

test.each<[string, Partial<Knobs>, { temperature?: number; seed?: bigint; model?: string }]>([
  // python3 -c "import hashlib; f=hashlib.sha256(b''.join(u+b'\x1f'+hashlib.sha256(p).digest()[:8]+b'\x1e' for u,p in
  //   [(b'urn:a',b'Pricing drove churn.'),(b'urn:b',b'{\"k\":\"v\"}')])).hexdigest();
  //   print(int.from_bytes(hashlib.sha256(b'What drove churn?\x1f'+f.encode()).digest()[:8],'little'))"
  ['openai', { temperature: 0, seed: 2838610416847238776n, model: 'm', maxTokens: 1024 }, {}],
  ['openai', { temperature: 0.5, seed: 0n, model: 'other' }, { temperature: 0.5, seed: 0n, model: 'other' }],
])('%s is asked with the knobs that it takes', async (name, expected, overrides) => {
  let knobs: Knobs | undefined
  const runner = (given: Knobs) => {
    knobs = given
    return scripted(['a[^1]'])
  }
  const models = new Map([['other', { promptPerMillion: 1, completionPerMillion: 1 }]])
  const { ask: put, audit } = questions([], { providers: [{ name, model: 'm', models, runner }] })
  await put({ ...request, ...overrides })
  expect(knobs).toMatchObject(expected)
  expect(audit.rows[0]).toMatchObject({ seed: expected.seed?.toString(), temperature: expected.temperature })
})

describe('the cache', () => {
  const caching = { enabled: true, defaultTtlSeconds: 60 }

  test('answers again for nothing, only in the same scope and for the same order of sources, and is audited', async () => {
    let now = 0
    const cache = memoryAnswers(() => now)
    const {
      ask: put,
      runner,
      audit,
    } = questions(
      ['a[^1]', 'b[^1]', 'c[^1]', 'd[^1]'].map((text) => ({ text, usage })),
      { caching, answers: cache },
    )
    const answers = async (more = {}): Promise<string | undefined> => {
      const reply = await put({ ...request, tenant: 't', ...more })
      return reply.ok ? `${reply.envelope.answer} ${reply.envelope.cache_hit} ${reply.envelope.cost_usd}` : reply.error
    }
    expect(await answers()).toBe('a[^1] false 0.25')
    expect(await answers()).toBe('a[^1] true 0')
    expect(audit.rows[1]).toMatchObject({ status: 'cached', cache_hit: true, cost_usd: 0, prompt_tokens: 0, citations: [1] })
    expect(await answers({ tenant: 'other' })).toBe('b[^1] false 0.25')
    // Markers count the sources, so another order is another question, although its fingerprint is the same.
    expect(await answers({ sources: [...sources].reverse() })).toBe('c[^1] false 0.25')
    now = 60_000
    expect(await answers()).toBe('d[^1] false 0.25')
    expect(runner.calls).toHaveLength(4)
  })

  test('keeps only valid answers, and checks what it kept', async () => {
    const cache = memoryAnswers(() => 0)
    const { ask: put, runner } = questions(['a[^9]', 'a[^9]', 'b[^9]', 'good[^1]', 'better[^1]'], { caching, answers: cache })
    await put({ ...request, strict: false })
    expect(await put(request)).toMatchObject({ status: 422 })
    expect(await put(request)).toMatchObject({ envelope: { answer: 'good[^1]' } })
    const spoilt = { ...cache, get: async () => ({ text: 'old[^9]', sources: [] }) }
    expect(await questions(['new[^1]'], { caching, answers: spoilt }).ask(request)).toMatchObject({ envelope: { answer: 'new[^1]' } })
    expect(runner.calls).toHaveLength(4)
  })

  test('is used when a request wants it, and left alone when it does not', async () => {
    const { ask: put, runner } = questions(['a[^1]', 'b[^1]', 'c[^1]'])
    await put({ ...request, cache: { ttlSeconds: 5 } })
    expect(await put({ ...request, cache: { ttlSeconds: 5 } })).toMatchObject({ envelope: { cache_hit: true } })
    expect(await put({ ...request, cache: 'never' })).toMatchObject({ envelope: { answer: 'b[^1]' } })
    expect(await put(request)).toMatchObject({ envelope: { answer: 'c[^1]' } })
    expect(runner.calls).toHaveLength(3)
  })
})

describe('the guard', () => {
  test.each<[string, Partial<TestQuestions['limits'] & object>, (string | ScriptedTurn)[], string, number, number]>([
    ['long prompts before the call', { promptTokens: 20 }, ['a[^1]'], 'max_prompt_tokens', 413, 0],
    ['large sources before the call', { sourcesBytes: 28 }, ['a[^1]'], 'max_sources_bytes', 413, 0],
    [
      'endless answers while they come',
      { completionTokens: 10 },
      [{ text: 'word '.repeat(1000), chunkSize: 50 }],
      'max_completion_tokens',
      413,
      1,
    ],
    ['what the provider counted', { completionTokens: 4 }, [{ text: 'a[^1]', usage }], 'max_completion_tokens', 413, 1],
    ['a retry that costs too much', { dailyCostUsd: 0.2 }, [{ text: 'a[^9]', usage }, 'b[^1]'], 'daily_cost_cap_usd', 413, 1],
  ])('refuses %s', async (_, limits, turns, limit, status, calls) => {
    const { ask: put, runner, audit } = questions(turns, { limits })
    expect(await put(request)).toMatchObject({ ok: false, status, limit })
    expect(runner.calls).toHaveLength(calls)
    expect(audit.rows).toMatchObject([{ status: 'refused', limit }])
  })

  test('allows what is at the limit', async () => {
    const limits = { completionTokens: 5, sourcesBytes: 29, promptTokens: 1000 }
    expect(await questions([{ text: 'a[^1]', usage }], { limits }).ask(request)).toMatchObject({ ok: true })
  })

  test('ends what takes too long', async () => {
    const clock = manualClock()
    const { ask: put, audit } = questions([{ text: 'a[^1]', hang: true }], { clock })
    const reply = put(request)
    for (let tick = 0; tick < 20; tick++) await Promise.resolve()
    await new Promise((resolve) => setTimeout(resolve, 20))
    clock.advance(30_001)
    expect(await reply).toMatchObject({ ok: false, status: 504, limit: 'timeout_ms' })
    expect(audit.rows).toMatchObject([{ status: 'refused', limit: 'timeout_ms' }])
  })

  test('remembers the day’s cost per tenant', async () => {
    let now = 10 * 86_400_000
    const turns = Array.from({ length: 9 }, () => ({ text: 'a[^1]', usage }))
    const { ask: put } = questions(turns, { limits: { dailyCostUsd: 0.25 }, today: () => now })
    const status = async (tenant: string): Promise<number> => (await put({ ...request, tenant })).status
    // Something must be left: a call that begins at the cap would end above it.
    expect([await status('a'), await status('a'), await status('b')]).toEqual([200, 413, 200])
    now += 86_400_000
    expect(await status('a')).toBe(200)
  })

  test('calls nothing once the day’s cap is used up, also where prompts cost nothing', async () => {
    const answer = { text: 'a[^1]', usage: { promptTokens: 10, completionTokens: 500 } }
    const runner = scripted(Array.from({ length: 30 }, () => answer))
    const price = { promptPerMillion: 0, completionPerMillion: 10 }
    const { ask: put } = questions([], { limits: { dailyCostUsd: 0.02 }, providers: [{ name: 'openai', model: 'm', runner, price }] })
    const replies: number[] = []
    for (let count = 0; count < 10; count++) replies.push((await put(request)).status)
    expect(replies).toEqual([200, 200, 200, 200, 413, 413, 413, 413, 413, 413])
    await Promise.all(Array.from({ length: 20 }, () => put(request)))
    expect(runner.calls.length).toBe(4)
  })
})

test('a retry names every invalid marker, up to 100', async () => {
  for (const [count, listed] of [
    [100, 100],
    [150, 100],
  ] as const) {
    const { ask: put, runner } = questions([Array.from({ length: count }, (_, at) => `[^${4_294_967_295 - at}]`).join(' '), 'a[^1]'])
    expect((await put(request)).ok).toBe(true)
    expect(JSON.stringify(runner.calls[1]?.prompt).match(/\[out_of_range\]/g)).toHaveLength(listed)
  }
})
