import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answering, answeringBody } from '../testing/programmable-upstream-answers.ts'
import { failing, hangUp } from '../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 1 }
  - { name: local, kind: openai, baseUrl: $UP/v1, apiKeyEnv: LOCAL_KEY, retries: 0 }
  - { name: gone, kind: openai, baseUrl: "http://127.0.0.1:1/v1", retries: 0 }
  - { name: free, kind: scripted, answers: [{ failure: { kind: http, status: 503 } }] }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }] }
routes:
  - { model: brief, upstream: up, contract: brief }
  - { model: free, upstream: free, contract: brief }
  - { model: over, upstream: gone, fallback: [local], contract: brief }
`
const secret = 'upstream-secret-key'
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml, env: { UP_KEY: secret } })
})
afterAll(() => gateway.close())
beforeEach(() => gateway.upstream.otherwise(answering('Hello.')))

const failed = (from: number): Record<string, unknown>[] => {
  gateway.flushLog()
  return gateway.logLines
    .slice(from)
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'an upstream call failed')
}
const ask = async (model: string): Promise<Record<string, unknown>[]> => {
  gateway.flushLog()
  const from = gateway.logLines.length
  await (await gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'a private question' }] })).text()
  return failed(from)
}
const saying = (status: number, error: object) =>
  answeringBody({ error: { message: 'a private answer', ...error } }, { status, headers: {} })

describe('each failed call of an upstream is logged with its status and cause', () => {
  test.each([401, 404, 500])('status %i', async (status) => {
    gateway.upstream.otherwise(failing(status, {}, `a private answer, ${secret}`))
    const lines = await ask('brief')
    expect(lines).toHaveLength(status === 500 ? 2 : 1)
    expect(lines[0]).toMatchObject({ level: 'warn', event: 'upstream', upstream: 'up', kind: 'http', status })
    expect(gateway.logLines.join('')).not.toMatch(/private|upstream-secret-key/)
  })

  test('a connection that breaks, and one that is never made', async () => {
    gateway.upstream.otherwise(hangUp)
    expect(await ask('over')).toMatchObject([
      { upstream: 'gone', kind: 'connection', reason: 'ECONNREFUSED' },
      { upstream: 'local', kind: 'connection' },
    ])
  })

  test('also where no circuit breaker watches the upstream', async () => {
    expect(await ask('free')).toMatchObject([{ upstream: 'free', kind: 'http', status: 503 }])
  })

  test('an answer is not logged as a failure', async () => {
    expect(await ask('brief')).toEqual([])
  })

  test('whatever the provider calls its error, only names are logged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string(), fc.constantFrom('invalid_api_key', `sk-1234567890`, 'a private answer', secret)),
        async (code) => {
          gateway.upstream.otherwise(saying(400, { code, type: code }))
          const lines = await ask('brief')
          expect(lines).toHaveLength(1)
          for (const { reason = 'none' } of lines) expect(reason).toMatch(/^[A-Za-z_]+$/)
          expect(gateway.logLines.join('')).not.toMatch(/private|1234567890|upstream-secret-key/)
        },
      ),
      { numRuns: 20 },
    )
  })
})

test('a key whose variable is not set is warned of', () => {
  gateway.flushLog()
  expect(gateway.logLines.join('')).toContain('upstream local: apiKeyEnv names LOCAL_KEY, which is not set: calls are sent without a key')
  expect(gateway.logLines.join('')).not.toContain('UP_KEY')
})
