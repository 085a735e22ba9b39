import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetFailures, keptRun } from '../../packages/gateway/src/testing/fault-gateway.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff, failing, hangUp, silence } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, errorOf, terminalsOf, textOf, verdictOf, ways } from '../../packages/gateway/src/testing/wire.ts'

const yaml = `
server: { port: 0, deadline: 60 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0, model: m, price: { prompt: 1000, completion: 2000 }, timeouts: { firstByte: 60, idle: 60, total: 60 } }
  - { name: hasty, kind: openai, baseUrl: $UP/v1, retries: 0, timeouts: { firstByte: 1.5, idle: 60, total: 60 } }
contracts:
  last: { checks: [step_marker], repair: last, retries: 1, stream: hold }
  never: { checks: [step_marker], repair: never, retries: 1, stream: hold }
  hurried: { checks: [step_marker], repair: last, retries: 1, stream: hold, budget: { deadlineMs: 1500 } }
routes:
  - { model: last, upstream: up, contract: last }
  - { model: hasty, upstream: hasty, contract: last }
  - { model: never, upstream: up, contract: never }
  - { model: hurried, upstream: up, contract: hurried }
`
const usage = { prompt: 10, completion: 3 }
const answer = answering('Use spaces.', { usage })
const good = 'Use spaces.\n\n<!-- STEP: done -->'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
beforeEach(() => forgetFailures(gateway))
afterAll(() => gateway.close())

/** Plays these in turn, whatever a test before has left over. */
function script(...behaviours: readonly Behaviour[]): void {
  let turn = 0
  gateway.upstream.otherwise((exchange) => (behaviours[turn++] ?? failing(500))(exchange))
}

const faults: readonly (readonly [string, Behaviour, object])[] = [
  ['a 503', failing(503), { kind: 'http', status: 503 }],
  ['no connection', hangUp, { kind: 'connection' }],
]

describe.each(ways)('P08 the retry is lost, %s %s', (api, how) => {
  const stream = how === 'streamed'

  test.each(faults)('P08 by %s: the first answer is repaired and delivered', async (_name, fault, failure) => {
    script(answer, fault)
    const reply = await ask(gateway, api, { model: 'last', stream })
    expect([reply.status, textOf(api, reply)]).toEqual([200, good])
    expect(verdictOf(reply)).toMatchObject({ status: 'repaired', attempts: 2, failure })
    if (stream) expect(terminalsOf(api, reply)).toEqual(['done'])
    else expect(reply.headers.get('x-stickler-status')).toBe('repaired')
    const run = await keptRun(gateway, reply.headers.get('x-request-id') ?? '')
    expect(run).toMatchObject({
      status: 'repaired',
      delivered: true,
      reason: 'runner-failed',
      failure,
      usage: { promptTokens: 10, completionTokens: 3 },
    })
    expect(run.attempts).toMatchObject([{ decision: 'deliver' }, { decision: 'failed', failure: expect.any(String) }])
  })

  test('P08 in the middle of its text: nothing of it is shown', async () => {
    script(answer, stream ? breakingOff('Secret words that nobody may see.', 3) : hangUp)
    const reply = await ask(gateway, api, { model: 'last', stream })
    expect(textOf(api, reply)).toBe(good)
    expect(reply.body).not.toContain('Secret')
  })

  test('P08 where the contract repairs nothing, the failure is the answer', async () => {
    script(answer, failing(503))
    const reply = await ask(gateway, api, { model: 'never', stream })
    expect(reply.status).toBe(503)
    expect(errorOf(reply)).toBeDefined()
  })
})

describe('P08 what the client gets', () => {
  test.each([
    ['hasty', 'timeout', true],
    ['hasty', 'timeout', false],
    ['hurried', 'deadline', true],
    ['hurried', 'deadline', false],
  ])('P08 %s: the first answer, when the retry is late (%s), streamed: %s', async (model, kind, stream) => {
    script(answer, silence)
    const reply = await ask(gateway, 'chat', { model, stream })
    expect([reply.status, textOf('chat', reply)]).toEqual([200, good])
    expect(verdictOf(reply)).toMatchObject({ status: 'repaired', failure: { kind } })
  })

  test.each([true, false])('P08 is the message of the answer that is delivered, streamed: %s', async (stream) => {
    const first = answering('Use spaces.', { usage, reasoning: 'First thought.', fields: { system_fingerprint: 'first' } })
    const second = { reasoning: 'Second thought.', fields: { system_fingerprint: 'second' } }
    script(first, stream ? breakingOff('Secret words that nobody may see.', 4, second) : failing(503))
    const reply = await ask(gateway, 'chat', { model: 'last', stream, fields: { stream_options: { include_usage: true } } })
    expect(textOf('chat', reply)).toBe(good)
    for (const part of ['First th', '"system_fingerprint":"first"', '"prompt_tokens":']) expect(reply.body).toContain(part)
    expect(reply.body).not.toMatch(/Second thought|"second"|Secret/)
  })
})
