import { systemClock } from '@stickler/core/internal'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually, forgetFailures, startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { apiNames, ask, errorOf, textOf, ways } from '../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startFaultGateway()
})
beforeEach(async () => {
  await forgetFailures(gateway)
  gateway.upstream.otherwise(answering('Fine.'))
})
afterAll(() => gateway.close())

async function callsDuring(work: () => Promise<unknown>, { upstream }: TestGateway = gateway): Promise<number> {
  const before = upstream.requests.length
  await work()
  return upstream.requests.length - before
}

describe('U07 retry-after', () => {
  const limited =
    (value: () => string): Behaviour =>
    (exchange) =>
      failing(429, { 'retry-after': value() })(exchange)

  test.each([
    ['seconds', () => '1', 1000],
    ['a date', () => new Date(Date.now() + 2000).toUTCString(), 500],
    ['garbage', () => 'soon; very', 0],
    ['less than nothing', () => '-5', 0],
  ])('U07 %s: the call is repeated, not before that', async (_name, value, least) => {
    gateway.upstream.enqueue(limited(value))
    const before = gateway.upstream.requests.length
    expect((await ask(gateway, 'chat', { model: 'plain-again' })).status).toBe(200)
    const [first, second, ...more] = gateway.upstream.requests.slice(before)
    expect(more).toEqual([])
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(least)
  })

  test.each(ways)('U07 a day is not waited for: 429 at once, with what the upstream said (%s %s)', async (api, how) => {
    gateway.upstream.enqueue(limited(() => '86400'))
    const calls = await callsDuring(async () => {
      const reply = await ask(gateway, api, { model: 'plain-again', stream: how === 'streamed' })
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '86400'])
      // Its own name for it, where the API has room for one.
      expect(errorOf(reply)).toMatchObject({ type: api === 'messages' ? 'rate_limit_error' : 'test_error' })
    })
    expect(calls).toBe(1)
  })
})

describe('U08 error status', () => {
  test.each(ways)('U08 5xx are repeated: 500, 503, 200 (%s %s)', async (api, how) => {
    gateway.upstream.enqueue(failing(500), failing(503))
    const calls = await callsDuring(async () => {
      const reply = await ask(gateway, api, { model: 'brief-again', stream: how === 'streamed' })
      expect([reply.status, textOf(api, reply)]).toEqual([200, 'Fine.'])
    })
    expect(calls).toBe(3)
  })

  test.each([
    [400, 400],
    [401, 502],
    [403, 502],
    [404, 404],
    [413, 413],
    [422, 422],
  ])('U08 %i is told as %i after one call', async (status, told) => {
    for (const [api, how] of ways) {
      gateway.upstream.enqueue(failing(status, {}, 'no such thing'))
      const calls = await callsDuring(async () => {
        const reply = await ask(gateway, api, { model: 'plain-again', stream: how === 'streamed' })
        expect(reply.status).toBe(told)
        expect(errorOf(reply)).toMatchObject({ message: expect.any(String), type: expect.any(String) })
      })
      expect(calls).toBe(1)
    }
  })
})

describe('U17 a storm of retries', () => {
  test('U17 200 clients and an upstream that only fails: the circuit opens, one probe closes it', async () => {
    let ahead = 0
    const clock = { ...systemClock, now: () => systemClock.now() + ahead }
    const stormy = await startFaultGateway({ clock, behaviour: failing(503) })
    const all = (count: number) => Promise.all(Array.from({ length: count }, () => ask(stormy, 'chat', { model: 'plain-again' })))
    try {
      const first = await callsDuring(async () => {
        expect(new Set((await all(200)).map(({ status }) => status))).toEqual(new Set([503]))
      }, stormy)
      expect(first).toBeLessThanOrEqual(200 * 3)

      // Open: nothing reaches the upstream, and clients are told when to come back.
      const whileOpen = await callsDuring(async () => {
        for (const { status, headers } of await all(50)) {
          expect(status).toBe(503)
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        }
      }, stormy)
      expect(whileOpen).toBe(0)

      // Half-open: one call finds out, whoever else comes is sent away.
      let answer = () => {}
      const answered = new Promise<void>((resolve) => {
        answer = resolve
      })
      stormy.upstream.otherwise(async (exchange) => {
        await answered
        await answering('Fine.')(exchange)
      })
      ahead += 120_000
      const probes = await callsDuring(async () => {
        const before = stormy.upstream.requests.length
        const waiting = Array.from({ length: 50 }, () => ask(stormy, 'chat', { model: 'plain-again' }))
        const refused = new Promise<void>((resolve) => {
          let count = 0
          for (const one of waiting) void one.then(({ status }) => status === 503 && ++count === 49 && resolve())
        })
        await refused
        expect(stormy.upstream.requests.length - before).toBe(1)
        answer()
        expect((await Promise.all(waiting)).filter(({ status }) => status === 200)).toHaveLength(1)
      }, stormy)
      expect(probes).toBe(1)
      expect((await all(20)).every(({ status }) => status === 200)).toBe(true)
      const states = stormy.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'circuit breaker')
      expect(states.map(({ status }) => status)).toEqual(['open', 'half-open', 'closed'])
    } finally {
      await stormy.close()
    }
  })
})

describe('U19 both kinds of retries together', () => {
  const yaml = (deadline: number, retries: number) => `
server: { port: 0, deadline: ${deadline} }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 1, timeouts: { firstByte: 60, idle: 60, total: 60 } }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: ${retries}, stream: hold }
routes:
  - { model: brief, upstream: up, contract: brief }
`
  let number = 0
  const invalid: Behaviour = (exchange) => answering(`attempt ${++number} is as long as all of them`)(exchange)

  test.each(apiNames)('U19 %s: calls are at most attempts times tries', async (api) => {
    const both = await startTestGateway({ yaml: yaml(60, 2) })
    try {
      const calls = await callsDuring(async () => {
        both.upstream.enqueue(failing(500), invalid, failing(500), invalid, failing(500), invalid)
        const reply = await ask(both, api, { model: 'brief' })
        expect(reply.status).toBe(422)
        expect(reply.headers.get('x-stickler-attempts')).toBe('3')
      }, both)
      expect(calls).toBe(6)
    } finally {
      await both.close()
    }
  })

  test('U19 one deadline is over all of them', async () => {
    const slow = await startTestGateway({
      yaml: yaml(0.6, 10),
      behaviour: async (exchange) => {
        await exchange.wait(150)
        await invalid(exchange)
      },
    })
    try {
      for (const [api, how] of ways) {
        const calls = await callsDuring(async () => {
          const reply = await ask(slow, api, { model: 'brief', stream: how === 'streamed' })
          expect(reply.status).toBe(504)
          if (api !== 'messages') expect(errorOf(reply)).toMatchObject({ code: 'deadline_exceeded' })
        }, slow)
        // Each takes 150 ms of the 600.
        expect(calls).toBeLessThanOrEqual(4)
        await eventually(() => slow.upstream.requests.every(({ closedAt, body }) => closedAt !== undefined || body !== ''))
      }
    } finally {
      await slow.close()
    }
  })
})
