import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readGatewayConfig } from '../../config/reading/read-gateway-config.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, textOf, verdictOf, ways } from '../../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  strict: { checks: [{ max_words: { limit: 2 } }], retries: 0 }
  long: { checks: [{ max_words: { limit: 4 } }], retries: 0 }
  open: { checks: [] }
  judge: { checks: [{ max_words: { limit: 1 } }], retries: 0 }
routes:
  - { model: several, upstream: up, contracts: [strict, long], shadow: judge, exemptTasks: [title_generation] }
  - { model: one, upstream: up, contract: strict }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const three = 'Use spaces here.'
const choosing = (name: string) => ({ 'x-stickler-contract': name })

describe.each(ways)('a route with several contracts: %s, %s', (api, how) => {
  const asked = (headers: Readonly<Record<string, string>>, model = 'several') => {
    gateway.upstream.enqueue(answering(three))
    return ask(gateway, api, { model, prompt: 'Q', stream: how === 'streamed', headers })
  }

  test('the header chooses among those that are listed, and verdict and record say which', async () => {
    const reply = await asked(choosing('long'))
    expect([textOf(api, reply), verdictOf(reply)]).toMatchObject([three, { status: 'valid', contract: 'long' }])
    await vi.waitFor(async () => {
      const { items } = (await (await gateway.get('/api/v1/runs')).json()) as { items: { contract: string; requestId: string }[] }
      expect(items.find(({ requestId }) => requestId === reply.headers.get('x-request-id'))?.contract).toBe('long')
    })
  })

  test('the first one holds where none is named', async () => {
    expect((await asked({})).body).toContain('MAX_WORDS')
  })

  test.each(['open', 'judge', 'longg', '', 'long, long', '__proto__'])('%j is refused, and nothing is sent', async (name) => {
    const before = gateway.upstream.requests.length
    const reply = await ask(gateway, api, { model: 'several', prompt: 'Q', stream: how === 'streamed', headers: choosing(name) })
    expect(reply.status).toBe(400)
    expect(reply.body).toContain('unknown contract')
    expect(gateway.upstream.requests.length).toBe(before)
  })

  test('a route with one contract leaves no choice', async () => {
    expect((await asked(choosing('long'), 'one')).body).toContain('MAX_WORDS')
  })
})

test('a name that is nearly right is suggested', async () => {
  const reply = await gateway.post(
    '/v1/chat/completions',
    { model: 'several', messages: [{ role: 'user', content: 'Q' }] },
    choosing('lonng'),
  )
  expect(await reply.json()).toMatchObject({
    error: { param: 'x-stickler-contract', message: 'unknown contract "lonng"; did you mean "long"?' },
  })
})

test('the choice is no attempt to override anything, elsewhere it is', async () => {
  for (const [model, warns] of [
    ['several', false],
    ['one', true],
  ] as const) {
    const lines = gateway.logLines.length
    gateway.upstream.enqueue(answering('Spaces.'))
    await gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Q' }] }, choosing('long'))
    expect(gateway.logLines.slice(lines).join('').includes('override server-side settings')).toBe(warns)
  }
})

test('a list with names that are unknown or there twice, beside another key, or of the shadow is refused, with its place', async () => {
  const source = [
    'upstreams: [{ name: a, kind: scripted, answers: [] }]',
    'contracts: { brief: { checks: [] }, long: { checks: [] } }',
    'routes:',
    '- { model: a, upstream: a, contracts: [brief, lonng, brief] }',
    '- { model: b, upstream: a, contracts: [brief], contract: long, shadow: brief }',
    '- { model: c, upstream: a, contracts: [] }',
  ].join('\n')
  const around = { env: {}, cwd: '/conf', readFile: async () => '' }
  const thrown = (await readGatewayConfig(source, 'stickler.yaml', around).catch((error: Error) => error)) as Error
  expect(thrown.message.split('\n')).toEqual([
    'stickler.yaml:4:47: routes.0.contracts.1: unknown contract "lonng"; did you mean "long"?',
    'stickler.yaml:4:54: routes.0.contracts.2: the contract "brief" is listed twice',
    'stickler.yaml:5:28: routes.1.contracts: contract and contracts are mutually exclusive: list the default first',
    'stickler.yaml:5:64: routes.1.shadow: the shadow contract is the contract of the route itself; name another one',
    'stickler.yaml:6:28: routes.2.contracts: must name at least one contract',
  ])
})
