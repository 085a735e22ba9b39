import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AskGateway, startAskGateway } from '../testing/ask-gateway.ts'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { ask, errorOf, textOf, verdictOf, ways } from '../testing/wire.ts'

const cutOff = 'Grass is green[^1], and the'
const cutWarning = { kind: 'truncated', detail: 'Finish the answer; it was cut off at the length limit.' }
let asking: AskGateway

beforeAll(async () => {
  asking = await startAskGateway('{ upstreams: [first] }')
})
afterAll(() => asking.close())

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
