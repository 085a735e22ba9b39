import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  eventually,
  forgetFailures,
  keptRun,
  runLines,
  startFaultGateway,
  sumOf,
} from '../../packages/gateway/src/testing/fault-gateway.ts'
import { rawRequest, sendRaw } from '../../packages/gateway/src/testing/http-front.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff, failing, fallingSilent, silence } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import type { TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { type ApiName, ask, dataOf, verdictOf, type WireReply, ways } from '../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startFaultGateway()
})
beforeEach(async () => {
  await forgetFailures(gateway)
  gateway.upstream.otherwise(answering('Fine.'))
})
afterAll(() => gateway.close())

const long = 'one two three four five six'
const text = 'Spaces are wide and tabs are deep, so take what the house has.'

/** The usage that an answer tells, prompt before completion. */
function usageIn(api: ApiName, reply: WireReply): readonly unknown[] {
  const holders = reply.events.length === 0 ? [reply.json] : dataOf(reply)
  const found = holders
    .map(
      (holder) => (holder.usage ?? (holder.response as Record<string, unknown> | undefined)?.usage) as Record<string, number> | undefined,
    )
    .findLast((usage) => usage !== undefined && usage !== null)
  return api === 'chat' ? [found?.prompt_tokens, found?.completion_tokens] : [found?.input_tokens, found?.output_tokens]
}

describe('O01 usage', () => {
  test.each(ways)('O01 %s %s: the sum over all attempts, in body, metrics, log and store', async (api, how) => {
    const before = await Promise.all(['prompt', 'completion'].map((kind) => sumOf(gateway, 'stickler_tokens_total', `kind="${kind}"`)))
    const id = `usage-${api}-${how}`
    // Held, and not stopped early: a stopped attempt never gets to tell its usage.
    gateway.upstream.enqueue(
      answering('Cut', { finishReason: 'length', usage: { prompt: 10, completion: 5 } }),
      answering('Fine.', { usage: { prompt: 12, completion: 6 } }),
    )
    const fields = api === 'chat' && how === 'streamed' ? { stream_options: { include_usage: true } } : {}
    const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed', headers: { 'x-request-id': id }, fields })
    expect(usageIn(api, reply)).toEqual([22, 11])
    const kept = await keptRun(gateway, id)
    expect(kept).toMatchObject({ usage: { promptTokens: 22, completionTokens: 11 } })
    expect((kept.attempts as { usage: object }[]).map(({ usage }) => usage)).toEqual([
      { promptTokens: 10, completionTokens: 5 },
      { promptTokens: 12, completionTokens: 6 },
    ])
    expect(runLines(gateway).find(({ requestId }) => requestId === id)).toMatchObject({ promptTokens: 22, completionTokens: 11 })
    const after = await Promise.all(['prompt', 'completion'].map((kind) => sumOf(gateway, 'stickler_tokens_total', `kind="${kind}"`)))
    expect(after.map((sum, index) => sum - (before[index] ?? 0))).toEqual([22, 11])
  })

  test('O01 a call that several choices share is counted once', async () => {
    for (const stream of [false, true]) {
      const id = `shared-${stream}`
      gateway.upstream.enqueue(
        answering('Fine.', { more: [long], usage: { prompt: 10, completion: 5 } }),
        answering('Fine, too.', { usage: { prompt: 12, completion: 6 } }),
      )
      const fields = { n: 2, stream_options: { include_usage: true } }
      const reply = await ask(gateway, 'chat', { model: 'lenient', stream, headers: { 'x-request-id': id }, fields })
      expect(usageIn('chat', reply)).toEqual([10, 5])
      // What a lenient contract did not ask for again.
      await ask(gateway, 'chat', { model: 'plain' })
    }
  })
})

describe('O02 counters', () => {
  test('O02 requests are ok, invalid or error; attempts are at least runs; clients that leave count once', {
    timeout: 30_000,
  }, async () => {
    const fresh = await startFaultGateway()
    try {
      const cases: readonly (readonly [model: string, behaviours: readonly Behaviour[], stream: boolean, outcome: string])[] = [
        ['brief', [answering('Fine.')], false, 'ok'],
        ['brief', [answering('Fine.')], true, 'ok'],
        ['brief', [answering(long), answering('Fine.')], false, 'ok'],
        ['brief', [answering(long), answering(`${long} 7`)], false, 'invalid'],
        ['brief', [answering(long), answering(`${long} 7`)], true, 'invalid'],
        ['lenient', [answering(long)], false, 'ok'],
        ['plain', [failing(503)], false, 'error'],
        ['plain', [failing(422)], false, 'error'],
        ['plain', [answeringBody('{')], true, 'error'],
        // These fail after their 200.
        ['plain', [breakingOff(text, 4)], true, 'error'],
        ['live', [answering(`${'word '.repeat(50)}one more`), answering('Something else.'), answering('Another thing.')], true, 'invalid'],
        ['nobody', [], false, 'error'],
      ]
      const tally: Record<string, number> = { ok: 0, invalid: 0, error: 0 }
      for (const [model, behaviours, stream, outcome] of cases) {
        fresh.upstream.enqueue(...behaviours)
        await ask(fresh, 'chat', { model, stream })
        tally[outcome] = (tally[outcome] ?? 0) + 1
      }
      for (const stream of [false, true]) {
        const leaving = new AbortController()
        const before = fresh.upstream.requests.length
        fresh.upstream.enqueue(stream ? fallingSilent(text, 4) : silence)
        const asked = ask(fresh, 'chat', { model: 'live', stream, signal: leaving.signal }).catch(() => {})
        await eventually(() => fresh.upstream.requests[before]?.json !== undefined)
        leaving.abort()
        await asked
        await fresh.upstream.requests[before]?.closed
        tally.error = (tally.error ?? 0) + 1
      }
      const runs = cases.length - 1 + 2
      await eventually(() => runLines(fresh).length === runs)
      const ended = (outcome: string) => sumOf(fresh, 'stickler_requests_total', 'api="chat"', `outcome="${outcome}"`)
      expect([await ended('ok'), await ended('invalid'), await ended('error')]).toEqual([tally.ok, tally.invalid, tally.error])
      expect(await sumOf(fresh, 'stickler_requests_total', 'api="chat"')).toBe(cases.length + 2)
      expect(await sumOf(fresh, 'stickler_runs_total')).toBe(runs)
      expect(await sumOf(fresh, 'stickler_attempts_total')).toBe(fresh.upstream.requests.length)
      expect(await sumOf(fresh, 'stickler_upstream_failures_total')).toBe(4)
    } finally {
      await fresh.close()
    }
  })
})

describe('O03 what every answer tells', () => {
  const cases: readonly (readonly [string, string, readonly Behaviour[], status: number, verdict: string])[] = [
    ['valid', 'brief', [answering('Fine.')], 200, 'valid'],
    ['valid after a retry', 'brief', [answering(long), answering('Fine.')], 200, 'valid'],
    ['given up', 'brief', [answering(long), answering(`${long} 7`)], 422, 'unresolved'],
    ['lenient', 'lenient', [answering(long)], 200, 'unresolved'],
    ['unenforced', 'plain', [answering('Fine.')], 200, 'unenforced'],
    ['refused by the upstream', 'plain', [failing(400)], 400, 'failed'],
    ['a failing upstream', 'brief', [failing(500)], 500, 'failed'],
    ['an answer that makes no sense', 'brief', [answeringBody('{')], 502, 'failed'],
    ['silence', 'brief-hasty', [silence], 504, 'failed'],
  ]
  describe.each(cases)('O03 %s', (name, model, behaviours, status, verdict) => {
    test.each(ways)('%s %s: request id, attempts and verdict, as the log and the store have them', async (api, how) => {
      const id = `told-${name.replaceAll(' ', '_')}-${api}-${how}`
      gateway.upstream.enqueue(...behaviours)
      const reply = await ask(gateway, api, { model, stream: how === 'streamed', headers: { 'x-request-id': id } })
      expect([reply.status, reply.headers.get('x-request-id')]).toEqual([status, id])
      const told = { status: verdict, attempts: behaviours.length }
      expect(verdictOf(reply)).toMatchObject(told)
      // The headers of a stream are out before there is a verdict.
      if (reply.events.length === 0) {
        expect(reply.headers.get('x-stickler-status')).toBe(verdict)
        expect(reply.headers.get('x-stickler-attempts')).toBe(String(behaviours.length))
      }
      const lines = runLines(gateway).filter(({ requestId }) => requestId === id)
      expect(lines).toMatchObject([{ verdict, attempts: behaviours.length, api, stream: how === 'streamed' }])
      const kept = await keptRun(gateway, id)
      expect(kept).toMatchObject({ status: verdict, httpStatus: status })
      expect(kept.attempts).toHaveLength(behaviours.length)
    })
  })

  test.each(ways.filter(([, how]) => how === 'streamed'))('O03 %s: an error in a stream tells them, too', async (api) => {
    gateway.upstream.enqueue(breakingOff(text, 4))
    const reply = await ask(gateway, api, { model: 'live', stream: true })
    expect(reply.status).toBe(200)
    expect(verdictOf(reply)).toMatchObject({ status: 'failed', attempts: 1, contract: 'live' })
  })

  test.each([
    ['an unknown model', { model: 'nobody', messages: [{ role: 'user', content: 'hi' }] }, 404],
    ['no messages', { model: 'brief' }, 400],
    ['no JSON', '{', 400],
  ])('O03 %s never gets to a run: a request id, and no verdict', async (_name, body, status) => {
    const response = await gateway.post('/v1/chat/completions', body, { 'x-request-id': 'refused' })
    expect([response.status, response.headers.get('x-request-id')]).toEqual([status, 'refused'])
    expect(response.headers.get('x-stickler-status')).toBeNull()
    expect(runLines(gateway).filter(({ requestId }) => requestId === 'refused')).toEqual([])
    await response.arrayBuffer()
  })
})

describe('O04 liveness and readiness', () => {
  test('O04 neither needs the upstream; readiness ends with draining', async () => {
    const fresh = await startFaultGateway()
    const statuses = async () => [(await fresh.get('/healthz')).status, (await fresh.get('/readyz')).status]
    try {
      expect(await statuses()).toEqual([200, 200])
      await fresh.upstream.close()
      expect((await ask(fresh, 'chat', { model: 'plain' })).status).toBe(502)
      expect(await statuses()).toEqual([200, 200])
      fresh.drain()
      const port = Number(new URL(fresh.url).port)
      const once = ['Connection: close', 'Content-Type: application/json']
      const status = async (...request: Parameters<typeof rawRequest>) => (await sendRaw(port, rawRequest(...request)))[0]?.status
      const body = JSON.stringify({ model: 'plain', messages: [{ role: 'user', content: 'hi' }] })
      expect(await status('GET', '/healthz', once)).toBe(200)
      expect(await status('GET', '/readyz', once)).toBe(503)
      expect(await status('POST', '/v1/chat/completions', once, body)).toBe(503)
    } finally {
      await fresh.close().catch(() => {})
    }
  })
})
