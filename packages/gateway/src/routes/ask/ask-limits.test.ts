import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { type AskGateway, type AskGatewayOptions, startAskGateway } from '../../testing/ask-gateway.ts'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { failing, silence } from '../../testing/programmable-upstream-faults.ts'
import { temporaryFolder } from '../../testing/store-fixtures.ts'

let asking: AskGateway
const opened: AskGateway[] = []

async function open(ask: string, options?: AskGatewayOptions): Promise<AskGateway> {
  const started = await startAskGateway(ask, options)
  opened.push(started)
  return started
}

beforeAll(async () => {
  asking = await open('{ upstreams: [first, second, small], limits: { sourcesBytes: 1000, completionTokens: 50 } }')
})
afterAll(() => Promise.all(opened.map((one) => one.close())))

describe('fail-over', () => {
  const paths = ['/v1/chat/completions', '/backup/v1/chat/completions']

  test.each<[string, Behaviour, boolean]>([
    ['an error of the server', failing(500), false],
    ['overload', failing(503), false],
    ['an error of the server, streamed', failing(502), true],
  ])('goes on after %s', async (_, behaviour, stream) => {
    asking.upstream.enqueue(behaviour, answering('Green[^1].'))
    const { status, text, calls } = await asking.ask({ stream })
    expect(status).toBe(200)
    expect(text).toContain('"provider":"groq"')
    expect(calls.map(({ path }) => path)).toEqual(paths)
    // Rows are safe before the reply, and can be read soon after it.
    await expect
      .poll(async () => (await asking.audit()).slice(0, 2))
      .toMatchObject([
        { provider: 'groq', status: 'valid' },
        { provider: 'openai', status: 'failed', failure: { kind: 'http' } },
      ])
  })

  it('goes on after silence', async () => {
    const patient = await open('{ upstreams: [hasty, second] }')
    patient.upstream.enqueue(silence, answering('Green[^1].'))
    expect((await patient.ask()).calls.map(({ path }) => path)).toEqual(paths)
    await expect.poll(async () => (await patient.audit()).map(({ status }) => status)).toEqual(['valid', 'failed'])
  })

  it('goes on when nobody is there', async () => {
    const lonely = await open('{ upstreams: [gone, second] }')
    lonely.upstream.enqueue(answering('Green[^1].'))
    const { status, text } = await lonely.ask()
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ provider: 'groq', model: 'llama-x' })
  })

  test.each([
    [400, 400],
    [401, 502],
    [429, 429],
  ])('stops at %i', async (given, told) => {
    asking.upstream.enqueue(failing(given, given === 429 ? { 'retry-after': '9' } : {}, 'words of the provider'))
    const { status, text, headers, calls } = await asking.ask()
    expect([status, calls.length]).toEqual([told, 1])
    expect(headers.get('retry-after')).toBe(given === 429 ? '9' : null)
    // What concerns the gateway's own key is not the client's.
    const said = given === 401 ? '' : ': words of the provider'
    expect(JSON.parse(text)).toEqual({ ok: false, error: `the provider answered with status ${given}${said}` })
  })

  it('stops at a provider that was asked for by name, and tells names that are close', async () => {
    asking.upstream.enqueue(failing(500))
    expect(await asking.ask({ provider: 'openai' })).toMatchObject({ status: 503, calls: { length: 1 } })
    const { status, text } = await asking.ask({ provider: 'opnai' })
    expect([status, JSON.parse(text)]).toMatchObject([400, { ok: false, param: 'provider', error: expect.stringContaining('openai') }])
  })
})

describe('the guard', () => {
  test.each<[string, object, number, string | undefined]>([
    ['sources at their limit', { sources: [{ urn: 'u', payload: 'ä'.repeat(500) }] }, 200, undefined],
    ['sources beyond it', { sources: [{ urn: 'u', payload: `${'ä'.repeat(500)}x` }] }, 413, 'max_sources_bytes'],
    ['a prompt that is too long', { question: 'why '.repeat(10_000) }, 413, 'max_prompt_tokens'],
  ])('%s', async (_, body, status, limit) => {
    const got = await asking.ask(body)
    expect([got.status, got.calls.length]).toEqual([status, status === 200 ? 1 : 0])
    if (limit !== undefined) expect(JSON.parse(got.text)).toMatchObject({ ok: false, limit, error: expect.stringContaining(limit) })
  })

  test.each([
    [50, 200],
    [51, 413],
  ])('an answer of %i tokens is %i', async (completion, expected) => {
    asking.upstream.enqueue(answering('Green[^1].', { usage: { prompt: 1, completion } }))
    const { status, text } = await asking.ask()
    expect(status).toBe(expected)
    if (expected === 413) expect(JSON.parse(text)).toMatchObject({ limit: 'max_completion_tokens' })
  })

  it('stops an answer without an end', async () => {
    asking.upstream.enqueue(answering('', { chunks: Array.from({ length: 50 }, () => 'word '.repeat(20)) }))
    const { status, text, calls } = await asking.ask({ stream: true })
    expect(status).toBe(200)
    expect(text).toContain('event: error\ndata: {"code":413,')
    expect(text).not.toContain('answer_token')
    expect(calls).toHaveLength(1)
  })

  it('ends with the time', async () => {
    const hasty = await open('{ upstreams: [second], limits: { timeMs: 1000 } }')
    hasty.upstream.enqueue(silence)
    const { status, text, calls } = await hasty.ask()
    expect(status).toBe(504)
    expect(JSON.parse(text)).toMatchObject({ ok: false, limit: 'timeout_ms' })
    await calls[0]?.closed
    expect(calls[0]?.aborted).toBe(true)
    await expect.poll(() => hasty.audit()).toMatchObject([{ status: 'refused', limit: 'timeout_ms' }])
  })

  it('gateways that share a store share the cap of a day', async () => {
    const folder = temporaryFolder(onTestFinished)
    const yaml = `store: { url: 'sqlite:${join(folder, 'runs.db')}' }\n`
    const ask = '{ upstreams: [first], limits: { dailyCostUsd: 0.02, completionTokens: 2000 } }'
    const four = await Promise.all(Array.from({ length: 4 }, () => open(ask, { yaml })))
    // Each costs 0.005 at most and in the end.
    const answer = answering('Green[^1].', { usage: { prompt: 1000, completion: 2000 }, delayMs: 300 })
    for (const { upstream } of four) upstream.enqueue(answer, answer, answer)
    const replies = await Promise.all(four.flatMap((one) => [one.ask(), one.ask({ question: 'And the sky?' })]))
    const spent = four.reduce((sum, { upstream }) => sum + upstream.requests.length * 0.005, 0)
    expect(spent).toBeLessThanOrEqual(0.02)
    expect(replies.filter(({ status }) => status === 413).length).toBeGreaterThanOrEqual(4)
  })

  it('counts what a day has cost, and a retry again', async () => {
    const thrifty = await open('{ upstreams: [first], limits: { dailyCostUsd: 0.0005 } }')
    const dear = answering('Green[^1].', { usage: { prompt: 300, completion: 50 } })
    thrifty.upstream.enqueue(answering('Red[^9].', { usage: { prompt: 100, completion: 50 } }), dear)
    const first = await thrifty.ask()
    expect(JSON.parse(first.text)).toMatchObject({ cost_usd: expect.closeTo(0.0006, 9), retry_count: 1 })
    const second = await thrifty.ask()
    expect([second.status, second.calls.length]).toEqual([413, 0])
    expect(JSON.parse(second.text)).toMatchObject({ ok: false, limit: 'daily_cost_cap_usd' })
  })
})
