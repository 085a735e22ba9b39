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
  gateway = await startTestGateway({ yaml: `store: { keepText: false }\n${yaml}`, env: { UP_KEY: secret } })
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

  test.each<[string, string | object, string | undefined]>([
    ['beside the message', { message: 'a private answer', code: 'wrong_key', type: 'auth' }, 'wrong_key'],
    ['in a list', [{ error: { code: 400, message: 'a private answer', status: 'INVALID_ARGUMENT' } }], 'INVALID_ARGUMENT'],
    ['nowhere', { error: { message: 'a private answer' } }, undefined],
    ['as no name', { message: 'x', code: 'a private answer', type: ['private'] }, undefined],
    ['in no JSON', 'a private answer', undefined],
  ])('the name of the error is found %s', async (_, body, reason) => {
    gateway.upstream.otherwise(answeringBody(body, { status: 400 }))
    const lines = await ask('brief')
    expect([lines.length, lines[0]?.reason, lines[0]?.said]).toEqual([1, reason, undefined])
    expect(gateway.logLines.join('')).not.toContain('private')
  })

  const tooLong = `max_tokens ${'is too large '.repeat(50)}`
  test.each<[string, number, object, string | undefined]>([
    ['a message that names it', 400, { message: `\`temperature\`\nis unsupported, ${secret}` }, '`temperature` is unsupported, [redacted]'],
    ['the field for it', 422, { message: 'Not supported here.', param: 'seed' }, 'Not supported here.'],
    ['words of the client', 400, { message: "Blocked: 'temperature of a private question'" }, undefined],
    ['a long message', 400, { message: tooLong }, `${tooLong.slice(0, 256)}…`],
    ['another parameter', 400, { message: 'temperature of a private question', param: 'messages' }, undefined],
    ['the request itself', 400, { message: 'I do not like {"max_tokens":5,"messages":["a private question"]}' }, undefined],
    ['a part of a name', 400, { message: 'linseed of a private question' }, undefined],
    ['a key of ours that is wrong', 401, { message: 'temperature of a private question' }, undefined],
  ])('what it says of a parameter that it refuses is logged too: %s', async (_, status, error, said) => {
    gateway.upstream.otherwise(answeringBody({ error }, { status }))
    expect((await ask('brief'))[0]?.said).toBe(said)
    expect(gateway.logLines.join('')).not.toMatch(/private|upstream-secret-key/)
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

describe('where texts are kept, the message of the provider is logged too', () => {
  let keeping: TestGateway
  beforeAll(async () => {
    keeping = await startTestGateway({ yaml: `store: { keepText: true }\n${yaml}`, env: { UP_KEY: secret } })
  })
  afterAll(() => keeping.close())

  test.each<[string, number, string | object, string]>([
    ['401', 401, { error: { message: `wrong key ${secret}` } }, 'wrong key [redacted]'],
    ['400', 400, { error: { message: 'on holiday' } }, 'on holiday'],
    ['a message at the top', 403, { message: 'not in your country' }, 'not in your country'],
    ['a server', 503, { error: { message: 'see http://10.0.0.7/admin' } }, 'see […]'],
    ['plain text', 404, 'no such page', 'no such page'],
    ['a long one', 400, 'word '.repeat(500), `${'word '.repeat(60).slice(0, 256)}…`],
    ['several lines', 400, { error: { message: 'one\ntwo\u001b[31m' } }, 'one two [31m'],
  ])('%s', async (_, status, body, said) => {
    keeping.upstream.otherwise(answeringBody(body, { status }))
    const from = keeping.logLines.length
    await (await keeping.post('/v1/chat/completions', { model: 'brief', messages: [{ role: 'user', content: 'Q?' }] })).text()
    keeping.flushLog()
    const line = keeping.logLines.slice(from).find((one) => one.includes('an upstream call failed'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ status, said })
    expect(keeping.logLines.join('')).not.toContain(secret)
  })

  test('no answer of a model is one', async () => {
    keeping.upstream.otherwise(answeringBody({ message: 'a private answer', choices: [] }))
    await (await keeping.post('/v1/chat/completions', { model: 'brief', messages: [{ role: 'user', content: 'Q?' }] })).text()
    keeping.flushLog()
    expect(keeping.logLines.join('')).not.toContain('private')
  })
})

test('a key whose variable is not set is warned of', () => {
  gateway.flushLog()
  expect(gateway.logLines.join('')).toContain('upstream local: apiKeyEnv names LOCAL_KEY, which is not set: calls are sent without a key')
  expect(gateway.logLines.join('')).not.toContain('UP_KEY')
})
