import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: o, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: a, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 2 } }], retries: 1, repair: never }
routes:
  - { model: o, upstream: o, contract: brief }
  - { model: a, upstream: a, contract: brief }
  - { model: oa, upstream: o, fallback: [a], contract: brief }
`

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const chatUsage = {
  prompt_tokens: 100,
  completion_tokens: 10,
  total_tokens: 110,
  prompt_tokens_details: { cached_tokens: 80 },
  completion_tokens_details: { reasoning_tokens: 5 },
  cost: 0.25,
}
const messageUsage = { input_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 80, output_tokens: 10 }
const chat = (content: string) =>
  answeringBody({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'x',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: chatUsage,
  })
const message = (text: string) =>
  answeringBody({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'x',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: messageUsage,
  })

const twiceInChat = {
  prompt_tokens: 200,
  completion_tokens: 20,
  total_tokens: 220,
  prompt_tokens_details: { cached_tokens: 160 },
}
const twiceInMessages = { input_tokens: 40, cache_creation_input_tokens: 0, cache_read_input_tokens: 160, output_tokens: 20 }

describe('what several calls used is summed with all its details', () => {
  test.each([
    ['chat', 'o', chat, { ...twiceInChat, completion_tokens_details: { reasoning_tokens: 10 }, cost: 0.5 }],
    ['messages', 'o', chat, twiceInMessages],
    ['chat', 'a', message, twiceInChat],
    ['messages', 'a', message, twiceInMessages],
    ['responses', 'a', message, { input_tokens: 200, input_tokens_details: { cached_tokens: 160 }, output_tokens: 20, total_tokens: 220 }],
  ] as const)('for clients of %s at the upstream %s', async (api, model, answer, usage) => {
    gateway.upstream.enqueue(answer('one two three'), answer('one two'))
    expect((await ask(gateway, api, { model })).json.usage).toMatchObject(usage)
  })

  test('over several calls for several choices, and nothing is made up beside them', async () => {
    gateway.upstream.enqueue(message('one two'), message('one two'))
    const { json } = await ask(gateway, 'chat', { model: 'a', fields: { n: 2 } })
    expect(json.usage).toMatchObject(twiceInChat)
    for (const choice of json.choices as object[]) expect(choice).not.toHaveProperty('logprobs')
  })

  test.each([
    ['chat', twiceInChat],
    ['messages', twiceInMessages],
  ] as const)('over upstreams that speak differently, for clients of %s', async (api, usage) => {
    gateway.upstream.enqueue(chat('one two three'), answeringBody('', { status: 503 }), message('one two'))
    expect((await ask(gateway, api, { model: 'oa' })).json.usage).toMatchObject(usage)
  })
})
