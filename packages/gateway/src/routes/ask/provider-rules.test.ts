import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  claudeRules,
  mistralRules,
  oRules,
  type ProviderRules,
  reasoningRules,
  signedSeeds,
} from '../../../../../e2e/support/provider-rules.ts'
import { usualSources } from '../../testing/ask-gateway.ts'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { ruled } from '../../testing/provider-rules.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { grpcClient } from '../grpc/testing/grpc-client.ts'
import { fillIndex, told } from './testing/ask-index.ts'

/** Rules by the first segment of the path, which is the name of the upstream. */
const rules: Readonly<Record<string, ProviderRules>> = {
  gpt: reasoningRules,
  router: reasoningRules,
  azure: reasoningRules,
  alias: oRules,
  o: oRules,
  seeded: signedSeeds,
  claude: claudeRules,
  mistral: mistralRules,
  plain: (request) => ('temperature' in request ? { status: 400, body: { error: { message: 'no temperature', param: null } } } : undefined),
  helper: reasoningRules,
  odd: (request) =>
    'response_format' in request && 'logit_bias' in request ? { status: 400, body: { error: { param: 'response_format' } } } : undefined,
}

const leaking = 'temperature: bad value in /srv/models/gpt.py at http://10.0.0.7:8000 with sk-abcdefghijklmnop1234'

const behaviour: Behaviour = (exchange) => {
  const { path, body } = exchange.request
  const [, name = ''] = path.split('/')
  if (name === 'rude')
    return answeringBody({ error: { message: leaking, type: 'x', param: 'messages', code: 'y' } }, { status: 400 })(exchange)
  const text =
    name !== 'helper'
      ? 'Grass is green[^1].'
      : body.includes('YES')
        ? 'YES'
        : body.includes('RETRIEVAL')
          ? 'RETRIEVAL'
          : 'hash encodeSHA256'
  return ruled(rules[name] ?? (() => undefined), answering(text))(exchange)
}

let gateway: TestGateway

beforeAll(async () => {
  const up = (name: string, more: string): string => `  - { name: ${name}, kind: openai, baseUrl: $UP/${name}/v1, retries: 0, ${more} }`
  gateway = await startTestGateway({
    behaviour,
    yaml: `
server: { port: 0 }
upstreams:
${up('gpt', 'model: gpt-5.4-mini')}
${up('router', 'model: openai/gpt-5.4-mini')}
${up('azure', 'model: assistant, pathStyle: azure')}
${up('alias', 'model: fast')}
${up('o', 'model: o4-mini-2025-04-16')}
${up('seeded', 'model: gpt-4o')}
${up('mistral', 'model: mistral-large, provider: mistral, capabilities: { seed: true }')}
${up('plain', 'model: p, capabilities: { temperature: false }')}
${up('helper', 'model: gpt-5.4-mini')}
${up('rude', 'model: r')}
${up('odd', 'capabilities: { structuredOutput: true }')}
  - { name: claude, kind: anthropic, baseUrl: $UP/claude/v1, retries: 0, model: claude-opus-4-7 }
contracts:
  shaped: { checks: [{ json: { schema: { type: object } } }], retries: 0 }
  brief: { checks: [{ max_words: { limit: 9 } }], retries: 0 }
routes:
  - { model: odd, upstream: odd, contract: shaped }
  - { model: docs, upstream: plain, pipeline: avap }
  - { model: gpt-5.4-mini, upstream: gpt, contract: brief }
  - { model: assistant, upstream: alias, contract: brief }
retrieval:
  classifier: { upstream: helper }
  reformulation: { upstream: helper }
  relevance: { strategy: llm, upstream: helper }
ask: { upstreams: [gpt, router, azure, alias, o, seeded, mistral, plain, claude, rude], pipeline: avap, audit: { question: true } }
grpc: { port: 0 }`,
  })
  await fillIndex(join(gateway.folder, 'index.db'))
})
afterAll(() => gateway.close())

async function ask(provider: string, number: number, more: object = {}) {
  const before = gateway.upstream.requests.length
  const response = await gateway.post('/ask', { question: `What is number ${number}?`, sources: usualSources, provider, ...more })
  const text = await response.text()
  return { status: response.status, text, calls: gateway.upstream.requests.slice(before) }
}

async function lastAudit(): Promise<Record<string, unknown>> {
  const { items } = (await (await gateway.get('/api/v1/audit?limit=1')).json()) as { items: { row: Record<string, unknown> }[] }
  return items[0]?.row ?? {}
}

const logged = (): Record<string, unknown>[] => gateway.logLines.map((line) => JSON.parse(line) as Record<string, unknown>)

describe('questions are accepted by', () => {
  test.each([
    ['gpt', 0],
    ['router', 0],
    ['o', 0],
    ['mistral', 0],
    ['plain', 0],
    ['claude', 0],
    // Names that say nothing: what is refused once is not sent again.
    ['azure', 2],
    ['alias', 3],
  ])('%s, 10 of 10, as JSON and as a stream', async (name, refused) => {
    let calls = 0
    for (let number = 0; number < 10; number++) {
      const reply = await ask(name, number, { stream: number % 2 === 1 })
      calls += reply.calls.length
      expect([reply.status, number % 2 === 1 ? told(reply.text).text : JSON.parse(reply.text).answer]).toEqual([200, 'Grass is green[^1].'])
    }
    expect(calls).toBe(10 + refused)
  })

  test('one with signed seeds, 60 of 60, named ones too; the audit has the whole seed', async () => {
    const seeds: [string, string][] = []
    for (let number = 0; number < 60; number++) {
      const { status: code, calls } = await ask('seeded', number)
      expect([code, calls.length]).toEqual([200, 1])
      const sent = /"seed":(-?\d+)/.exec(calls[0]?.body ?? '')?.[1] ?? ''
      await expect.poll(async () => (await lastAudit()).question).toBe(`What is number ${number}?`)
      seeds.push([sent, String((await lastAudit()).seed)])
    }
    for (const seed of [2n ** 63n, 2n ** 64n - 1n]) {
      const { status: code, calls } = await ask('seeded', 1, { seed: String(seed) })
      expect([code, calls.length, BigInt(/"seed":(-?\d+)/.exec(calls[0]?.body ?? '')?.[1] ?? -1)]).toEqual([
        200,
        1,
        BigInt.asUintN(63, seed),
      ])
      await expect.poll(async () => (await lastAudit()).seed).toBe(String(seed))
    }
    for (const [sent, derived] of seeds) expect(BigInt(sent)).toBe(BigInt.asUintN(63, BigInt(derived)))
    expect(seeds.some(([, derived]) => BigInt(derived) >= 2n ** 63n)).toBe(true)
  })

  test('the whole preparation of a pipeline, on /ask, over gRPC and on a model route', async () => {
    const before = gateway.upstream.requests.length
    const client = grpcClient(gateway.grpcUrl ?? '')
    for (let number = 0; number < 10; number++) {
      const query = `How is hash number ${number} made with encodeSHA256?`
      const asked = await gateway.post('/ask', { question: query, provider: 'gpt', stream: number % 2 === 1 })
      expect([asked.status, await asked.text()]).toEqual([200, expect.not.stringContaining('degraded')])
      const method = number % 2 === 1 ? 'AskAgentStream' : 'AskAgent'
      expect((await client.ask(method, query)).code).toBe(status.OK)
      const routed = await gateway.post('/v1/chat/completions', { model: 'docs', messages: [{ role: 'user', content: query }] })
      expect([routed.status, routed.headers.get('x-stickler-degraded')]).toEqual([200, null])
      await routed.text()
    }
    client.close()
    const helped = gateway.upstream.requests.slice(before).filter(({ path }) => path.startsWith('/helper/'))
    // A classifier, a query and a judge for each of 30.
    expect(helped.length).toBe(90)
    for (const { json } of helped) expect(Object.keys(json ?? {}).sort()).toEqual(['max_completion_tokens', 'messages', 'model', 'stream'])
  }, 60_000)
})

test('a client of another API has its token limit sent under the name that the model takes', async () => {
  for (const model of ['gpt-5.4-mini', 'assistant']) {
    const asked = { model, max_tokens: 50, messages: [{ role: 'user', content: 'Tabs?' }] }
    const response = await gateway.post('/v1/messages', asked)
    expect([model, response.status, await response.text()]).toEqual([model, 200, expect.stringContaining('Grass')])
    expect(gateway.upstream.requests.at(-1)?.json).toMatchObject({ max_completion_tokens: 50 })
  }
})

test('what a provider refuses beside fields of one client is sent for all others', async () => {
  const sent = async (more: object): Promise<boolean[]> => {
    const before = gateway.upstream.requests.length
    await (await gateway.post('/v1/chat/completions', { model: 'odd', messages: [{ role: 'user', content: 'Tabs?' }], ...more })).text()
    return gateway.upstream.requests.slice(before).map(({ json }) => 'response_format' in (json ?? {}))
  }
  const odd = { logit_bias: { 50256: -100 } }
  expect([await sent(odd), await sent({}), await sent(odd)]).toEqual([[true, false], [true], [true, false]])
})

describe('what a client sends itself', () => {
  test('is never left out: its refusal reaches the client in the words of the provider, and costs one call', async () => {
    const message = "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported."
    const { status: code, text, calls } = await ask('gpt', 1, { temperature: 0.7 })
    expect([code, JSON.parse(text), calls.length]).toEqual([
      400,
      { ok: false, error: `the provider answered with status 400: ${message}` },
      1,
    ])
    expect(told((await ask('gpt', 1, { temperature: 0.7, stream: true })).text).last).toEqual({
      code: 400,
      message: `the provider answered with status 400: ${message}`,
    })
    const chat = { model: 'assistant', max_tokens: 5, messages: [{ role: 'user', content: 'Tabs?' }] }
    const before = gateway.upstream.requests.length
    const response = await gateway.post('/v1/chat/completions', chat)
    expect([response.status, await response.json(), gateway.upstream.requests.length - before]).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ param: 'max_tokens', code: 'unsupported_parameter' }) }),
      1,
    ])
  })
})

describe('a refusal', () => {
  const words = 'temperature: bad value in […] at […] with […]'

  test('reaches the client, the client over gRPC and the log, without addresses, paths and keys', async () => {
    const { status: code, text, calls } = await ask('rude', 1)
    expect([code, JSON.parse(text).error, calls.length]).toEqual([400, `the provider answered with status 400: ${words}`, 1])
    expect(logged()).toContainEqual(expect.objectContaining({ event: 'upstream', upstream: 'rude', status: 400, said: words }))
    expect(gateway.logLines.join()).not.toContain('10.0.0.7')
    const { row } = ((await (await gateway.get('/api/v1/audit?limit=1')).json()) as { items: { row: unknown }[] }).items[0] ?? {}
    expect(JSON.stringify(row)).not.toContain('bad value')
  })

  test('of a field of ours is logged as well', () => {
    const lines = logged().filter(({ event, upstream }) => event === 'upstream' && upstream === 'azure')
    expect(lines).toMatchObject([
      { kind: 'http', status: 400, said: expect.stringContaining("'max_tokens' is not supported") },
      { kind: 'http', status: 400, said: expect.stringContaining("'temperature' does not support 0") },
    ])
  })
})
