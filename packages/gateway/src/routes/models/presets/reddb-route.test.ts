import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AskGateway, startAskGateway } from '../../../testing/ask-gateway.ts'
import { answering } from '../../../testing/programmable-upstream-answers.ts'
import { failing } from '../../../testing/programmable-upstream-faults.ts'
import { ask, errorOf, textOf, verdictOf, ways } from '../../../testing/wire.ts'

const cutOff = 'Grass is green[^1], and the'
const cutWarning = { kind: 'truncated', detail: 'Finish the answer; it was cut off at the length limit.' }
let asking: AskGateway

beforeAll(async () => {
  asking = await startAskGateway('{ upstreams: [first] }')
})
afterAll(() => asking.close())

it.each(['whole', 'streamed'])('calls that the provider refuses charge nothing to the daily cap: %s', async (way) => {
  // A prompt costs about 0.0003 dollars, so that two of them would use the cap up.
  const thrifty = await startAskGateway('{ upstreams: [first], limits: { dailyCostUsd: 0.0006 } }')
  try {
    for (const status of [429, 503, 400, 401, 429, 503]) {
      thrifty.upstream.enqueue(failing(status))
      const reply = await thrifty.ask({ stream: way === 'streamed' })
      expect(reply.calls).toHaveLength(1)
    }
    thrifty.upstream.enqueue(answering('Green[^1].', { usage: { prompt: 300, completion: 10 } }))
    expect(await thrifty.ask()).toMatchObject({ status: 200 })
    const costs = (await thrifty.audit()).map(({ cost_usd }) => cost_usd)
    expect(costs.filter((cost) => cost !== 0).length).toBeLessThanOrEqual(1)
  } finally {
    await thrifty.close()
  }
})

it('markers in reasoning are neither judged nor listed', async () => {
  asking.upstream.enqueue(answering('<think>Is it [^9]?</think>Grass is green[^1].'))
  const { status, text } = await asking.ask()
  expect([status, JSON.parse(text)]).toMatchObject([200, { retry_count: 0, citations: [{ marker: 1, source_index: 0 }] }])
  expect(JSON.parse(text).citations).toHaveLength(1)
})

describe('an answer that was cut off at the limit, with good citations', () => {
  it.each(ways)('is delivered with a warning: %s, %s', async (api, way) => {
    asking.upstream.enqueue(answering(cutOff, { finishReason: 'length' }))
    const before = asking.upstream.requests.length
    const reply = await ask(asking.gateway, api, { model: 'cited', stream: way === 'streamed', fields: { stickler: { sources: 2 } } })
    expect(errorOf(reply) ?? undefined).toBeUndefined()
    expect([reply.status, textOf(api, reply)]).toEqual([200, cutOff])
    expect(verdictOf(reply)).toMatchObject({ status: 'valid', attempts: 1, issues: [{ code: 'TRUNCATED', severity: 'warning' }] })
    expect(asking.upstream.requests.length - before).toBe(1)
    // The client is told as the provider told it.
    expect(reply.body).toMatch(/"finish_reason": ?"length"|"reason": ?"max_output_tokens"|"stop_reason": ?"max_tokens"/)
  })

  it.each([false, true])('is delivered with a warning on /ask, streamed: %s', async (stream) => {
    asking.upstream.enqueue(answering(cutOff, { finishReason: 'length' }))
    const { status, text, headers, calls } = await asking.ask({ stream })
    expect([status, calls.length]).toEqual([200, 1])
    const validation = stream ? JSON.parse(/event: validation\ndata: (.*)/.exec(text)?.[1] ?? '') : JSON.parse(text).validation
    expect(validation).toMatchObject({ ok: true, warnings: [cutWarning] })
    expect(text).toContain('and the')
    if (!stream) expect(headers.get('x-stickler-status')).toBe('valid')
  })
})
