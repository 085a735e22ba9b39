import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually, forgetFailures, runLines, startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { failing, fallingSilent, silence, stalling } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import type { TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, send, ways } from '../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startFaultGateway()
})
beforeEach(async () => {
  await forgetFailures(gateway)
  gateway.upstream.otherwise(answering('Fine.'))
})
afterAll(() => gateway.close())

/** The upstream's own limits are a minute, so only the client's leaving can end a call here. */
const timeout = 20_000

describe('U20 clients that leave', () => {
  const text = 'Spaces are wide and tabs are deep, so take what the house has.'

  describe.each([
    ['before the answer begins', silence],
    ['while its body comes', stalling()],
  ])('U20 %s', (_name, behaviour) => {
    test.each(ways)('%s %s: the upstream is let go', { timeout }, async (api, how) => {
      const before = gateway.upstream.requests.length
      const lines = runLines(gateway).length
      const leaving = new AbortController()
      gateway.upstream.enqueue(behaviour)
      const asked = ask(gateway, api, { model: 'live-again', stream: how === 'streamed', signal: leaving.signal })
      await eventually(() => gateway.upstream.requests[before]?.json !== undefined)
      leaving.abort()
      await expect(asked).rejects.toThrow()
      await gateway.upstream.requests[before]?.closed
      expect(gateway.upstream.requests[before]?.aborted).toBe(true)
      await eventually(() => runLines(gateway).length > lines)
      expect(runLines(gateway).at(-1)).toMatchObject({ verdict: 'failed', kind: 'aborted', attempts: 1 })
      expect(gateway.upstream.requests.length - before).toBe(1)
    })
  })

  test.each(ways.filter(([, how]) => how === 'streamed'))('U20 %s in the middle of its stream', { timeout }, async (api) => {
    const before = gateway.upstream.requests.length
    const leaving = new AbortController()
    gateway.upstream.enqueue(fallingSilent(text, 4))
    const response = await send(gateway, api, { model: 'live-again', stream: true, signal: leaving.signal })
    const first = await response.body?.getReader().read()
    expect(first?.done).toBe(false)
    leaving.abort()
    await gateway.upstream.requests[before]?.closed
    expect(gateway.upstream.requests.length - before).toBe(1)
  })

  test.each(ways)('U20 %s %s while the next try is waited for: there is none', { timeout }, async (api, how) => {
    const before = gateway.upstream.requests.length
    const lines = runLines(gateway).length
    const leaving = new AbortController()
    gateway.upstream.enqueue(failing(429, { 'retry-after': '1' }))
    const asked = ask(gateway, api, { model: 'live-again', stream: how === 'streamed', signal: leaving.signal })
    await eventually(() => gateway.upstream.requests[before]?.json !== undefined)
    await wait(50)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    // The run is over at once, and not after the second that the upstream asked for.
    await eventually(() => runLines(gateway).length > lines)
    expect(runLines(gateway).at(-1)).toMatchObject({ kind: 'aborted' })
    if (api === 'chat') await wait(1100)
    expect(gateway.upstream.requests.length - before).toBe(1)
  })

  test('U20 none of them counts as a failure of the upstream', { timeout }, async () => {
    for (let turn = 0; turn < 8; turn++) {
      const before = gateway.upstream.requests.length
      const leaving = new AbortController()
      gateway.upstream.enqueue(turn % 2 === 0 ? silence : fallingSilent(text, 4))
      const asked = ask(gateway, 'chat', { model: 'live', stream: turn % 2 === 1, signal: leaving.signal }).catch(() => {})
      await eventually(() => gateway.upstream.requests[before]?.json !== undefined)
      leaving.abort()
      await asked
      await gateway.upstream.requests[before]?.closed
    }
    // Five failures in a row would have opened the circuit.
    expect((await ask(gateway, 'chat', { model: 'live' })).status).toBe(200)
    expect(gateway.logLines.filter((line) => line.includes('circuit breaker'))).toEqual([])
    const metrics = await (await gateway.get('/metrics')).text()
    expect(metrics).not.toMatch(/^stickler_upstream_failures_total\{[^}]*kind="aborted"/m)
  })
})
