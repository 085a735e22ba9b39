import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { apis } from '../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  techtime: { preset: techtime }
  passing: { preset: techtime, stream: pass }
routes:
  - { model: techtime, upstream: up, contract: techtime }
  - { model: passing, upstream: up, contract: passing }
  - { model: claude, upstream: claude, contract: techtime }
`
const parameters = { type: 'object', properties: { count: { type: 'integer' }, host_name: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'ping', parameters } }]

let gateway: TestGateway
beforeAll(async () => {
  const toolCalls = [{ id: 'c', name: 'ping', arguments: '{"count": "3", "hostName": "gw"}' }]
  gateway = await startTestGateway({ yaml, behaviour: answering('One moment.', { toolCalls }) })
})
afterAll(() => gateway.close())

describe.each(Object.entries(apis))('a lossless repair of a warning reaches the client of %s', (_api, ask) => {
  test.each(['techtime', 'passing', 'claude'].flatMap((model) => [false, true].map((stream) => [model, stream] as const)))(
    '%s, streamed: %s',
    async (model, stream) => {
      const seen = await ask(gateway, { model, stream, tools })
      expect(seen).toMatchObject({ status: 200, verdict: 'repaired', attempts: 1, text: 'One moment.' })
      expect(seen.calls).toEqual([['ping', { count: 3, host_name: 'gw' }]])
    },
  )
})
