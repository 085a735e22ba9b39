import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  cited: { preset: reddb, retries: 0 }
  own: { checks: [{ citations: {} }], retries: 0 }
routes:
  - { model: cited, upstream: up, contract: cited }
  - { model: own, upstream: up, contract: own }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

async function ask(model: string, text: string) {
  gateway.upstream.enqueue(answering(text))
  const stickler = { sources: [{ url: 'https://example.com/1', title: 'One' }] }
  const reply = await gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Why?' }], stickler })
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> }
}

test('only a refusal under a preset that declares it has further members beside the error', async () => {
  const cited = await ask('cited', 'It is[^2].')
  expect(cited).toMatchObject({ status: 422, body: { validation: { ok: false, errors: [{ kind: 'out_of_range' }] } } })
  const own = await ask('own', 'It is[^2].')
  expect(own).toMatchObject({ status: 422, body: { error: { code: 'CITATION_OUT_OF_RANGE' } } })
  expect(own.body).not.toHaveProperty('validation')
})

test.each(['cited', 'own'])('citations become annotations wherever their validator is checked: %s', async (model) => {
  expect(await ask(model, 'It is[^1].')).toMatchObject({
    status: 200,
    body: { choices: [{ message: { annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.com/1' } }] } }] },
  })
})
