import { deriveSeed, sourcesFingerprint, versionedSources } from '@stickler/presets/internal'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { type AskGateway, startAskGateway, usualQuestion, usualSources } from '../../testing/ask-gateway.ts'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { failing } from '../../testing/programmable-upstream-faults.ts'

let asking: AskGateway

beforeAll(async () => {
  asking = await startAskGateway('{ upstreams: [first, second, small], limits: { completionTokens: 50 } }')
})
afterAll(() => asking.close())

const usage = { prompt: 100, completion: 10 }
const detail = 'marker [^9] references source #9 but only 2 sources available'
const pinned =
  'Your previous answer contained citation markers that do not match the available sources. Reissue the answer in full, with every ' +
  '`[^N]` marker referring to a real source by its 1-indexed position in the provided context. Do not invent or renumber sources; if a ' +
  'claim is not supported by a real source, drop the marker rather than fabricate one. Problems detected:\n' +
  `- [out_of_range] ${detail}\n`

describe('an answer', () => {
  it('is an envelope with these keys in this order, the same bytes every time', async () => {
    asking.upstream.enqueue(answering('Grün[^1].', { usage }), answering('Grün[^1].', { usage }))
    const [one, two] = [await asking.ask(), await asking.ask()]
    expect(one.status).toBe(200)
    expect(one.text).toBe(
      '{"answer":"Grün[^1].","cache_hit":false,"citations":[{"marker":1,"source_index":0,"span":[5,9],"urn":"urn:doc:1"}],"completion_tokens":10,' +
        '"cost_usd":0.00012,"mode":"strict","model":"gpt-x","prompt_tokens":100,"provider":"openai","retry_count":0,' +
        '"sources_flat":[{"payload":"Grass is <green> & \\"wet\\".","urn":"urn:doc:1"},{"payload":"The sky is blue.","urn":"urn:doc:2"}],' +
        '"validation":{"errors":[],"ok":true,"warnings":[]}}',
    )
    expect(two.text).toBe(one.text)
    expect(two.calls[0]?.body).toBe(one.calls[0]?.body)
    expect(Object.fromEntries(['status', 'attempts', 'contract'].map((name) => [name, one.headers.get(`x-stickler-${name}`)]))).toEqual({
      status: 'valid',
      attempts: '1',
      contract: 'ask',
    })
  })

  it('has the figures of its run, whether the provider reports usage or not', async () => {
    const ways: readonly (readonly [Behaviour[], object])[] = [
      [[answering('Green[^1].', { usage })], {}],
      [[answering('Green[^1].')], {}],
      [[answering('Green[^1].')], { stream: true }],
      [[answering('Green[^9].'), answering('Green[^1].', { usage })], {}],
      [[answering('Green[^9].'), answering('Green[^1].')], { stream: true }],
    ]
    const find = async (requestId: string | null): Promise<string | undefined> => {
      const { items } = (await (await asking.gateway.get('/api/v1/runs')).json()) as { items: { id: string; requestId: string }[] }
      return items.find((run) => run.requestId === requestId)?.id
    }
    for (const [behaviours, body] of ways) {
      asking.upstream.enqueue(...behaviours)
      const { text, headers } = await asking.ask(body)
      const id = await vi.waitUntil(() => find(headers.get('x-request-id')), { timeout: 5000 })
      const run = (await (await asking.gateway.get(`/api/v1/runs/${id}`)).json()) as { usage: Record<string, number> }
      const figure = (name: string): number => Number(new RegExp(`"${name}":([\\d.e-]+)`).exec(text)?.[1])
      const { promptTokens, completionTokens, cost = 0 } = run.usage
      const told = ['prompt_tokens', 'completion_tokens', 'cost_usd'].map(figure)
      expect([body, told]).toEqual([body, [promptTokens, completionTokens, expect.closeTo(cost, 9)]])
      expect(promptTokens).toBeGreaterThan(0)
    }
  })

  it('has empty lists where there is nothing', async () => {
    asking.upstream.enqueue(answering('There are no sources.'))
    const { text } = await asking.ask({ sources: [] })
    expect(JSON.parse(text)).toMatchObject({ citations: [], sources_flat: [], validation: { errors: [], warnings: [] } })
  })

  it('is asked for with fenced sources, temperature 0 and a seed of all its 64 bits', async () => {
    const { calls } = await asking.ask()
    const [, user] = (calls[0]?.json?.messages ?? []) as { content: string }[]
    expect(user?.content).toBe(
      'Sources:\n<source id="1" urn="urn:doc:1">Grass is &lt;green&gt; &amp; &quot;wet&quot;.</source>\n' +
        `<source id="2" urn="urn:doc:2">The sky is blue.</source>\n\nQuestion:\n${usualQuestion}`,
    )
    expect(calls[0]?.json).toMatchObject({ model: 'gpt-x', temperature: 0, max_tokens: 50 })
    const named = await versionedSources(usualSources)
    const seed = await deriveSeed(usualQuestion, await sourcesFingerprint(named))
    expect(seed > 2n ** 53n).toBe(true)
    expect(/"seed":(\d+)/.exec(calls[0]?.body ?? '')?.[1]).toBe(String(seed))
  })

  it('is asked for with the knobs of the request', async () => {
    const { calls } = await asking.ask({ seed: '18446744073709551615', temperature: 0.5, model: 'gpt-y' })
    expect(calls[0]?.body).toMatch(/[{,]"seed":9223372036854775807[,}]/)
    expect(calls[0]?.json).toMatchObject({ temperature: 0.5, model: 'gpt-y' })
  })
})

describe('wrong citations', () => {
  it('are asked for once more, the pinned prompt before everything and the rejected answer nowhere', async () => {
    asking.upstream.enqueue(answering('Red[^9].', { usage }), answering('Green[^1].', { usage }))
    const { status, text, calls } = await asking.ask()
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ answer: 'Green[^1].', retry_count: 1, prompt_tokens: 200, completion_tokens: 20 })
    const [first, again] = calls.map(({ json }) => json?.messages as { role: string; content: string }[])
    expect(again).toEqual([first?.[0], { role: 'user', content: `${pinned}\n\n${first?.[1]?.content}` }])
    expect(calls[1]?.body).not.toContain('Red')
  })

  it('end after the second time with exactly this body', async () => {
    asking.upstream.enqueue(answering('Grün[^1] and rot[^9].'), answering('Grün[^] or rot[^9].'))
    const { status, text, headers, calls } = await asking.ask()
    expect(status).toBe(422)
    expect(text).toBe(
      '{"ok":false,"error":"ASK citation validation failed after retry","validation":{"ok":false,"warnings":[' +
        `{"kind":"malformed","span":[5,8],"detail":"empty marker body"},{"kind":"out_of_range","span":[15,19],"detail":"${detail}"}],` +
        `"errors":[{"kind":"malformed","detail":"empty marker body"},{"kind":"out_of_range","detail":"${detail}"}]}}`,
    )
    expect(headers.get('x-should-retry')).toBe('false')
    expect(calls).toHaveLength(2)
  })

  it('are told on the OpenAI route with the same validation beside the error', async () => {
    asking.upstream.enqueue(answering('Rot[^9].'), answering('Red[^9]!'))
    const response = await asking.gateway.post('/v1/chat/completions', {
      model: 'cited',
      messages: [{ role: 'user', content: usualQuestion }],
      stickler: { sources: 2 },
    })
    expect(response.status).toBe(422)
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toMatchObject({
      error: { type: 'contract_violation', code: 'CITATION_OUT_OF_RANGE', param: null },
      validation: { ok: false, warnings: [{ kind: 'out_of_range', span: [3, 7], detail }], errors: [{ kind: 'out_of_range', detail }] },
    })
    expect(asking.upstream.requests.at(-1)?.json?.messages).toEqual([{ role: 'user', content: `${pinned}\n\n${usualQuestion}` }])
  })

  it('are warnings where the client is lenient', async () => {
    asking.upstream.enqueue(answering('Red[^9].'))
    const { status, text, headers, calls } = await asking.ask({ strict: false })
    expect([status, calls.length, headers.get('x-stickler-status')]).toEqual([200, 1, 'unresolved'])
    expect(JSON.parse(text)).toMatchObject({
      answer: 'Red[^9].',
      mode: 'lenient',
      citations: [{ marker: 9, urn: null }],
      validation: { ok: true, errors: [], warnings: [{ kind: 'out_of_range', span: [3, 7], detail }] },
    })
  })

  it('are warnings where the provider cannot cite, which is told too', async () => {
    asking.upstream.enqueue(answering('Green[^1].'), answering('Red[^9].'))
    const fallback = {
      kind: 'mode_fallback',
      detail: "provider 'ollama' does not support reliable citation emission; strict mode downgraded to lenient",
    }
    const clean = JSON.parse((await asking.ask({ provider: 'ollama' })).text)
    expect(clean).toMatchObject({ mode: 'lenient', provider: 'ollama', validation: { ok: true, errors: [], warnings: [fallback] } })
    const { text, calls } = await asking.ask({ provider: 'ollama' })
    expect(calls.map(({ path }) => path)).toEqual(['/small/v1/chat/completions'])
    expect(JSON.parse(text).validation.warnings).toEqual([{ kind: 'out_of_range', span: [3, 7], detail }, fallback])
  })
})

describe('the cache', () => {
  it('answers again for nothing, to the same user about the same sources in the same order', async () => {
    asking.upstream.otherwise(answering('Green[^1].', { usage }))
    const first = JSON.parse((await asking.ask({ cache: '5m' })).text)
    expect(first).toMatchObject({ cache_hit: false, cost_usd: 0.00012 })
    const hit = await asking.ask({ cache: { ttl: '1h' } })
    expect(hit.calls).toEqual([])
    expect(JSON.parse(hit.text)).toEqual({ ...first, cache_hit: true, cost_usd: 0, completion_tokens: 0, prompt_tokens: 0 })
    const others = [
      await asking.ask({ cache: '5m', sources: usualSources.toReversed() }),
      await asking.ask({ cache: '5m' }, { 'x-stickler-user': 'somebody else' }),
      await asking.ask({ cache: '5m', temperature: 0.1 }),
      await asking.ask({ cache: '5m', seed: 1 }),
      await asking.ask({ cache: false }),
      await asking.ask(),
    ]
    expect(others.map(({ calls }) => calls.length)).toEqual(others.map(() => 1))
  })

  it('keeps no answer that was only let through', async () => {
    asking.upstream.otherwise(answering('Red[^9].'))
    for (const _ of [1, 2]) expect((await asking.ask({ cache: true, strict: false, question: 'Lenient?' })).calls).toHaveLength(1)
    asking.upstream.otherwise(answering('Green[^1].'))
  })

  it('is a stream as well', async () => {
    await asking.ask({ cache: true, question: 'Streamed?' })
    const { text, calls } = await asking.ask({ cache: true, question: 'Streamed?', stream: true })
    expect(calls).toEqual([])
    expect(text).toContain('event: answer_token\ndata: {"text":"Green[^1]."}\n\n')
    expect(text).toContain('"cache_hit":true')
  })
})

describe('a stream', () => {
  const first =
    'event: sources\ndata: {"sources_flat":[{"payload":"Grass is <green> & \\"wet\\".","urn":"urn:doc:1"},{"payload":"The sky is blue.","urn":"urn:doc:2"}]}\n\n'

  it('has exactly these frames, and nothing of a rejected attempt', async () => {
    asking.upstream.enqueue(answering('Leaked[^9] words.', { usage }), answering('Green\r\n[^1].', { usage }))
    const { status, headers, text } = await asking.ask({ stream: true })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const audited = /"audit":\{[^}]*\}/.exec(text)?.[0] ?? ''
    expect(text).toBe(
      `${first}event: answer_token\ndata: {"text":"Green\\r\\n[^1]."}\n\n` +
        `event: validation\ndata: {${audited},"errors":[],"ok":true,"warnings":[]}\n\n`,
    )
    expect(Object.keys(JSON.parse(`{${audited}}`).audit)).toEqual([
      'cache_hit',
      'completion_tokens',
      'cost_usd',
      'mode',
      'model',
      'prompt_tokens',
      'provider',
      'retry_count',
    ])
    expect(JSON.parse(`{${audited}}`).audit).toMatchObject({ cache_hit: false, mode: 'strict', provider: 'openai', retry_count: 1 })
  })

  it('ends with an error in place of an answer', async () => {
    asking.upstream.enqueue(answering('Leaked[^9] words.'), answering('More[^8] words.'))
    const { text } = await asking.ask({ stream: true })
    const told = detail.replaceAll('9', '8')
    expect(text).toBe(
      `${first}event: error\ndata: {"code":422,"message":"ASK citation validation failed after retry","validation":` +
        `{"errors":[{"detail":"${told}","kind":"out_of_range"}],"ok":false,"warnings":[{"detail":"${told}","kind":"out_of_range","span":[4,8]}]}}\n\n`,
    )
  })

  it('ends the call of the provider when nobody reads on, and is audited', async () => {
    const controller = new AbortController()
    asking.upstream.enqueue(answering('Green[^1].', { events: 2, afterwards: () => {} }))
    const before = asking.upstream.requests.length
    const response = await asking.gateway.post('/ask', { question: 'Left alone?', stream: true }, {}, controller.signal)
    await expect.poll(() => asking.upstream.requests.length).toBe(before + 1)
    controller.abort()
    await expect(response.text()).rejects.toThrow()
    const request = asking.upstream.requests.at(-1)
    await request?.closed
    expect(request?.aborted).toBe(true)
    await expect.poll(async () => (await asking.audit())[0]).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
  })
})

describe('the audit', () => {
  it('has a row for every call before its reply, and no texts', async () => {
    const asked = { question: 'Who reads this secret?', sources: [{ urn: 'urn:doc:1', payload: 'confidential' }] }
    const steps: [object, Behaviour[], object][] = [
      [{}, [answering('Hidden words[^1].', { usage })], { status: 'valid', citations: [1], validation_ok: true, cost_usd: 0.00012 }],
      [{}, [answering('Hidden[^2].'), answering('Hidden[^3].')], { status: 'gave_up', retry_count: 1, errors: [{ kind: 'out_of_range' }] }],
      [{ strict: false }, [answering('Hidden[^2].')], { status: 'lenient', mode: 'lenient', validation_ok: true }],
      [{}, [answering('Hidden[^1].', { finishReason: 'who_knows' })], { status: 'failed', failure: { kind: 'unchecked' } }],
      [{ question: `secret ${'x '.repeat(40_000)}` }, [], { status: 'refused', limit: 'max_prompt_tokens' }],
      [{}, [failing(404)], { status: 'failed', failure: { kind: 'http' } }],
      [{ provider: 'nobody' }, [], { status: 'refused', failure: { kind: 'request' } }],
    ]
    for (const [body, answers, row] of steps) {
      const count = (await asking.audit()).length
      asking.upstream.enqueue(...answers)
      await asking.ask({ ...asked, ...body })
      await expect.poll(async () => (await asking.audit()).length).toBe(count + 1)
      expect((await asking.audit())[0]).toMatchObject({
        question_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        answer_hash: expect.any(String),
        ...row,
      })
    }
    const page = await (await asking.gateway.get('/api/v1/audit?limit=200')).text()
    expect(page).not.toMatch(/secret|Hidden|confidential/)
    expect(asking.gateway.logLines.join('')).not.toMatch(/secret|Hidden|confidential/)
  })
})

test.each<[string, object, string]>([
  ['no question', { question: ' ' }, 'question'],
  ['sources that are none', { sources: { urn: 'x' } }, 'sources'],
  ['a source without a payload', { sources: [{ urn: 'x' }] }, 'sources[0].payload'],
  ['an unknown field', { sauces: [] }, 'sauces'],
  ['a seed that JSON has rounded', { seed: 2 ** 60 }, 'seed'],
  ['a temperature out of range', { temperature: 3 }, 'temperature'],
  ['a time to live that is none', { cache: 'soon' }, 'cache'],
])('a request is refused for %s', async (_, body, param) => {
  const { status, text, calls } = await asking.ask(body)
  expect([status, calls.length]).toEqual([400, 0])
  expect(JSON.parse(text)).toMatchObject({ ok: false, param, error: expect.stringContaining(param) })
})

test.each([false, true])('an answer that could not be checked is withheld; streamed: %s', async (stream) => {
  asking.upstream.enqueue(answering('Hidden words[^1].', { finishReason: 'who_knows' }))
  const { status, headers, text } = await asking.ask({ stream })
  expect(text).not.toContain('Hidden words')
  expect(text).toContain('the answer could not be checked')
  if (stream) expect(text).toContain('"code":424')
  else expect([status, headers.get('x-stickler-status'), headers.get('x-should-retry')]).toEqual([424, 'unchecked', 'false'])
})

test.each([422, 424])("a provider's status %i is no verdict on its answer", async (status) => {
  asking.upstream.enqueue(failing(status))
  const { headers, ...reply } = await asking.ask({})
  expect([reply.status, headers.get('x-stickler-status'), headers.get('x-should-retry')]).toEqual([status, 'failed', null])
})
