import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering, answeringBody, answeringEvents } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { ask, errorOf, verdictOf, ways } from '../testing/wire.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat] }
contracts:
  usual: { preset: techtime }
  strict: { preset: techtime, strict: true }
routes:
  - { model: usual, upstream: up, contract: usual }
  - { model: strict, upstream: up, contract: strict }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** A model that only thinks, in a field of its own. */
function thinking(stream: boolean) {
  const said = { role: 'assistant', content: null, reasoning_content: 'Let me see.' }
  if (!stream) return answeringBody({ id: 'c', choices: [{ index: 0, message: said, finish_reason: 'stop' }] })
  const chunk = (delta: object, reason: string | null) => ({ id: 'c', choices: [{ index: 0, delta, finish_reason: reason }] })
  return answeringEvents([chunk(said, null), chunk({}, 'stop')])
}

describe.each(ways)('an answer that nobody sees, by %s, %s', (api, how) => {
  const stream = how === 'streamed'
  test.each([
    ['nothing', () => answering('')],
    ['white space', () => answering(' \n\t')],
    ['invisible characters', () => answering('\u200b\u2060\u3164\u2800')],
    ['reasoning in its text', () => answering('<think>Let me see.</think>\n')],
    ['reasoning in a field', thinking],
  ])('%s', async (_what, write) => {
    gateway.upstream.otherwise(write(stream))
    const usual = await ask(gateway, api, { model: 'usual', stream })
    expect(usual.status).toBe(200)
    expect(verdictOf(usual)).toMatchObject({ status: 'valid', issues: [{ code: 'EMPTY_CONTENT', severity: 'warning' }] })
    const strict = await ask(gateway, api, { model: 'strict', stream })
    expect([strict.status, strict.headers.get('x-should-retry')]).toEqual([422, 'false'])
    expect(errorOf(strict)?.message).toContain('EMPTY_CONTENT')
    expect(verdictOf(strict)).toMatchObject({
      status: 'unresolved',
      attempts: 2,
      issues: [{ code: 'EMPTY_CONTENT', severity: 'error' }],
    })
  })
})
