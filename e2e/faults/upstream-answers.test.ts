import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetFailures, startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { bomb, lyingEncoding } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import type { TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { apiNames, ask, errorOf, textOf, verdictOf, ways } from '../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startFaultGateway()
})
beforeEach(async () => {
  await forgetFailures(gateway)
  gateway.upstream.otherwise(answering('Fine.'))
})
afterAll(() => gateway.close())

const canary = 'CANARY-of-the-upstream'

describe('U09 answers that make no sense', () => {
  const bodies: readonly (readonly [string, Behaviour])[] = [
    ['HTML', answeringBody(`<html><h1>${canary}</h1>${'x'.repeat(100_000)}</html>`, { contentType: 'text/html' })],
    ['nothing', answeringBody('')],
    ['half of a JSON', answeringBody(`{"id":"x","choices":[{"message":{"content":"${canary}`)],
    ['another JSON', answeringBody([canary])],
    ['no choices', answeringBody({ id: canary })],
    ['a number', answeringBody('17')],
  ]
  describe.each(bodies)('U09 %s', (_name, behaviour) => {
    test.each(ways)('%s %s: 502 without its words', async (api, how) => {
      gateway.upstream.enqueue(behaviour)
      const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
      expect(reply.status).toBe(502)
      expect(errorOf(reply)).toMatchObject({ message: expect.any(String), type: 'api_error' })
      expect(reply.body).not.toContain(canary)
      expect(reply.body.length).toBeLessThan(1000)
    })
  })
})

describe('U10 odd but legal completions', () => {
  const choice = (fields: object) => ({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, ...fields }] })
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const parameters = { type: 'object' }
  const offered = {
    chat: { type: 'function', function: { name: 'f', parameters } },
    responses: { type: 'function', name: 'f', parameters },
    messages: { name: 'f', input_schema: parameters },
  }
  const parts = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ]
  /** An answer of nothing is one when the provider says that it is complete. */
  const cases: readonly (readonly [string, object, unenforced: number, enforced: number, text: string])[] = [
    ['choices: []', { ...choice({}), choices: [] }, 502, 502, ''],
    ['message: null', choice({ message: null, finish_reason: 'stop' }), 200, 200, ''],
    ['content: null', choice({ message: { role: 'assistant', content: null }, finish_reason: 'stop' }), 200, 200, ''],
    ['content: null with calls', choice({ message: { content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }), 200, 200, ''],
    ['parts', choice({ message: { content: parts }, finish_reason: 'stop' }), 200, 200, 'ab'],
    ['cut off by a filter', choice({ message: { content: 'Fine' }, finish_reason: 'content_filter' }), 200, 422, 'Fine'],
  ]
  describe.each(cases)('U10 %s', (_name, body, unenforced, enforced, text) => {
    test.each(apiNames)('%s', async (api) => {
      for (const [model, status] of [['plain', unenforced] as const, ['brief', enforced] as const]) {
        gateway.upstream.otherwise(answeringBody(body))
        const reply = await ask(gateway, api, { model, fields: { tools: [offered[api]] } })
        expect(reply.status).toBe(status)
        if (status === 200 && api !== 'chat') expect(textOf(api, reply)).toBe(text)
        if (status !== 200) expect(errorOf(reply)).toMatchObject({ message: expect.any(String) })
      }
    })
  })

  test('U10 unknown fields pass unchanged, at every level', async () => {
    const message = { role: 'assistant', content: 'Fine.', audio: null, my_field: { deep: [1, null, 'x'] } }
    const body = {
      ...choice({ message, finish_reason: 'stop', matched_stop: 7 }),
      system_fingerprint: 'fp',
      service_tier: 'default',
      x_own: [{}],
    }
    for (const model of ['plain', 'brief']) {
      gateway.upstream.enqueue(answeringBody(body))
      const { json } = await ask(gateway, 'chat', { model })
      expect(json).toMatchObject({ ...body, model })
    }
  })

  test.each(ways)('U10 a refusal is told as one: %s %s', async (api, how) => {
    const refusing = answering('', { refusal: 'No, no.' })
    gateway.upstream.enqueue(refusing)
    const reply = await ask(gateway, api, { model: 'plain', stream: how === 'streamed' })
    expect(reply.status).toBe(200)
    expect(reply.body).toContain('No, no.')
    gateway.upstream.enqueue(refusing)
    const enforced = await ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
    expect(enforced.status).toBe(200)
    expect(enforced.body).toContain('No, no.')
    expect(verdictOf(enforced)).toMatchObject({ status: 'unchecked', attempts: 1 })
  })

  describe.each(['brief', 'plain', 'lenient'])('U10 what is cut off is told as such, never completed: %s', (model) => {
    test.each(ways)('%s %s', async (api, how) => {
      gateway.upstream.enqueue(...Array.from({ length: model === 'brief' ? 2 : 1 }, () => answering('Use', { finishReason: 'length' })))
      const reply = await ask(gateway, api, { model, stream: how === 'streamed' })
      if (model === 'brief') {
        expect(reply.status).toBe(422)
        expect(JSON.stringify(reply.json)).toContain('TRUNCATED')
        return
      }
      expect(textOf(api, reply)).toBe('Use')
      expect(JSON.stringify(verdictOf(reply))).toContain('TRUNCATED')
      expect(reply.body).toMatch(/"finish_reason":"length"|"status":"incomplete"|"stop_reason":"max_tokens"/)
    })
  })
})

describe('U11 encodings', () => {
  test.each(['gzip', 'br', 'deflate', 'deflate-raw'] as const)('U11 %s is decoded, streamed or not', async (encoding) => {
    for (const [api, how] of ways) {
      gateway.upstream.enqueue(answering('Grüße 🗼', { encoding }))
      const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
      expect([reply.status, textOf(api, reply)]).toEqual([200, 'Grüße 🗼'])
      expect(reply.headers.get('content-encoding')).toBeNull()
    }
  })

  test.each(['gzip', 'br', 'deflate', 'zstd', 'x-unheard-of'])('U11 a body that is no %s: 502', async (encoding) => {
    gateway.upstream.enqueue(lyingEncoding(encoding))
    expect((await ask(gateway, 'chat', { model: 'plain' })).status).toBe(502)
  })

  test('U11 a bomb is cut at the limit, and memory stays bounded', async () => {
    gateway.upstream.enqueue(bomb(16 * 1024 * 1024 * 1024))
    let highest = process.memoryUsage.rss()
    const before = highest
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss())
    }, 10)
    const reply = await ask(gateway, 'chat', { model: 'plain' })
    clearInterval(watch)
    expect(reply.status).toBe(502)
    await gateway.upstream.requests.at(-1)?.closed
    // 16 MB is the limit of an answer; sixteen thousand were on their way.
    expect(highest - before).toBeLessThan((16 + 64) * 1024 * 1024)
  })
})

describe('U21 no attempt brings a valid answer', () => {
  const invalid = [answering('one two three four five six'), answering('one two three four five six seven')]
  describe.each([
    ['brief', 422, 'unresolved', 2],
    ['lenient', 200, 'unresolved', 1],
    ['shadow', 200, 'unresolved', 1],
  ])('U21 %s: %i', (model, status, verdict, attempts) => {
    test.each(ways)('%s %s', async (api, how) => {
      const before = gateway.upstream.requests.length
      gateway.upstream.enqueue(...invalid.slice(0, attempts))
      const reply = await ask(gateway, api, { model, stream: how === 'streamed' })
      expect(reply.status).toBe(status)
      expect(verdictOf(reply)).toMatchObject({ status: verdict, attempts, contract: model })
      if (status === 422 || how === 'whole') {
        expect(reply.headers.get('x-stickler-status')).toBe(verdict)
        expect(reply.headers.get('x-stickler-attempts')).toBe(String(attempts))
      }
      if (status === 422) {
        expect(reply.headers.get('x-should-retry')).toBe('false')
        expect(errorOf(reply)).toMatchObject({ type: 'contract_violation' })
      }
      expect(gateway.upstream.requests.length - before).toBe(attempts)
    })
  })
})
