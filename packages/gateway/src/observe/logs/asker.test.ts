import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
log: { level: debug }
server: { port: 0, keysEnv: CLIENTS, operatorKeysEnv: OPERATORS }
store: { keepText: false }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
routes:
  - { model: plain, upstream: up, upstreamModel: real-model }
`
const clientKey = 'client-secret-key-1'
const operatorKey = 'operator-secret-key-1'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml, env: { CLIENTS: `alice:${clientKey}`, OPERATORS: `olga:${operatorKey}` } })
})
afterAll(() => gateway.close())

const linesOf = (requestId: string): Readonly<Record<string, unknown>>[] =>
  gateway.logLines.map((line) => JSON.parse(line)).filter((line) => line.requestId === requestId)
const chat = { model: 'plain', messages: [{ role: 'user', content: 'Hi' }] }

describe('log lines', () => {
  it.each([
    ['a client', clientKey, 200, { key: 'alice', role: 'client' }],
    ['an operator that is refused', operatorKey, 403, { key: 'olga', role: 'operator' }],
    ['nobody', 'wrong-secret-key-1', 401, {}],
  ])('name the key and role of %s, never the key', async (id, key, status, asker) => {
    const requestId = id.replaceAll(' ', '-')
    const headers = { authorization: `Bearer ${key}`, 'x-request-id': requestId }
    expect((await gateway.post('/v1/chat/completions', chat, headers)).status).toBe(status)
    await expect.poll(() => linesOf(requestId).filter(({ msg }) => msg === 'request').length).toBe(1)
    for (const line of linesOf(requestId)) expect({ key: line.key, role: line.role }).toEqual({ key: undefined, role: undefined, ...asker })
    expect(linesOf(requestId).filter(({ msg }) => msg === 'run').length).toBe(status === 200 ? 1 : 0)
    expect(gateway.logLines.join('\n')).not.toContain(key)
  })
})

describe('a run that failed', () => {
  const kept = async (): Promise<Readonly<Record<string, unknown>>> => {
    const response = await gateway.get('/api/v1/runs?limit=1', { authorization: `Bearer ${operatorKey}` })
    return ((await response.json()) as { items: Readonly<Record<string, unknown>>[] }).items[0] ?? {}
  }

  it('keeps the model that the upstream was asked for, and does not say that a provider answered that was left alone', async () => {
    const headers = { authorization: `Bearer ${clientKey}` }
    gateway.upstream.otherwise(answeringBody({ error: { message: 'down' } }, { status: 500 }))
    let last = 0
    for (let count = 0; count < 30 && last !== 503; count++) last = (await gateway.post('/v1/chat/completions', chat, headers)).status
    expect(last).toBe(503)
    await expect.poll(async () => (await kept()).httpStatus).toBe(503)
    expect(await kept()).toMatchObject({
      upstreamModel: 'real-model',
      failure: { kind: 'circuit_open', message: 'the upstream failed too often and is not called for a while', status: 503 },
    })
  })
})
