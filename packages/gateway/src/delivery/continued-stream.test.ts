import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { apiNames, ask, textOf, verdictOf } from '../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  polite: { checks: [{ contains: { none: [darn] } }], retries: 1 }
routes:
  - { model: polite, upstream: up, contract: polite }
  - { model: claude, upstream: claude, contract: polite }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const first = 'Sure, here: the first step is easy, darn it.'

test.each(apiNames.flatMap((api) => ['polite', 'claude'].map((model) => [api, model] as const)))(
  'a retry after shown text goes on exactly there, and greets nobody again: %s, %s',
  async (api, model) => {
    const before = gateway.upstream.requests.length
    for (const [reply, expected] of [
      ['Here you are: the second is too.', 'the second is too.'],
      ['Certainly! Here is the corrected text:\n\nthe second is too.', 'the second is too.'],
      ['Sure, here: the first step is easy, the second is too.', 'the second is too.'],
      ['first step is easy, the second is too.', 'the second is too.'],
      ['here: in the second one it is not.', 'here: in the second one it is not.'],
      ['said the coach, and: that is all.', 'said the coach, and: that is all.'],
    ] as const) {
      gateway.upstream.enqueue(answering(first), answering(reply))
      const seen = await ask(gateway, api, { model, stream: true })
      expect([textOf(api, seen), verdictOf(seen)]).toMatchObject([
        `Sure, here: the first step is easy, ${expected}`,
        { status: 'valid', attempts: 2 },
      ])
    }
    const told = JSON.stringify(gateway.upstream.requests[before + 1]?.json)
    expect(told).toContain('Continue exactly where that text ends: begin with its next word, without a greeting')
    expect(told).toContain('the first step is easy, ')
  },
)
