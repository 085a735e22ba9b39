import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, verdictOf, ways } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  words: { checks: [context_relevance], retries: 2 }
  vectors: { checks: [{ context_relevance: { strategy: embedding } }], retries: 2 }
retrieval: { embeddings: none }
routes:
  - { model: words, upstream: chat, contract: words }
  - { model: vectors, upstream: chat, contract: vectors }
`
const prompt = 'How often does the gateway retry?'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

test.each(ways)('chunks that a client sends are judged against its last message, and the model is asked once: %s, %s', async (api, way) => {
  for (const model of ['words', 'vectors']) {
    const before = gateway.upstream.requests.length
    const codes: unknown[] = []
    for (const text of ['The gateway retries at most twice.', 'Boil the pasta.']) {
      gateway.upstream.enqueue(answering('Twice.'))
      const fields = { stickler: { context: [{ text }] } }
      const reply = await ask(gateway, api, { model, stream: way === 'streamed', prompt, fields })
      const { status, issues = [] } = (verdictOf(reply) ?? {}) as { status?: string; issues?: { code: string }[] }
      codes.push([status, issues.map(({ code }) => code)])
    }
    expect(codes).toEqual([
      ['valid', []],
      ['valid', ['CONTEXT_IRRELEVANT']],
    ])
    expect(gateway.upstream.requests.length - before).toBe(2)
  }
})
