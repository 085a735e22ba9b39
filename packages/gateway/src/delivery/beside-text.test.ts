import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { type ApiName, ask, verdictOf } from '../testing/wire.ts'

// What comes beside the text of a stream that is translated is shown only where it was judged, too.
const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  strict: { checks: [{ max_words: { limit: 50 } }], retries: 0 }
  safe: { checks: [{ sensitive: { redact: true } }], retries: 0 }
routes:
  - { model: strict, upstream: up, contract: strict }
  - { model: safe, upstream: up, contract: safe }
  - { model: plain, upstream: up }
`

type Json = Record<string, unknown>

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const chunk = (delta: Json, beside: Json = {}): Json => ({
  ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason: null, ...beside }],
})
const token = (text: unknown, others: readonly unknown[] = []): Json => ({ token: text, logprob: 0, bytes: null, top_logprobs: others })
const said = (...logprobs: Json[]): Json[] => [
  chunk({ role: 'assistant', content: 'Fine.' }, { logprobs: { content: logprobs } }),
  chunk({ content: ' Yes, so it is.' }),
  chunk({}, { finish_reason: 'stop' }),
]
const refusing = (refusal: unknown): Json[] => {
  const [first, ...rest] = said() as [Json, ...Json[]]
  return [first, chunk({ refusal }), ...rest]
}

function asked(api: ApiName, model: string, events: readonly Json[]) {
  gateway.upstream.enqueue(answeringEvents(events))
  return ask(gateway, api, { model, stream: true })
}

test.each<readonly [string, readonly ApiName[], Json[]]>([
  ['a refusal', ['responses', 'messages'], refusing('EVIL.')],
  ['a refusal that is a list', ['responses', 'messages'], refusing(['EVIL.'])],
  ['another token of the same length', ['responses'], said(token('EVIL.'))],
  ['a token that is a list', ['responses'], said(token(['EVIL.']))],
  ['another token that is a list', ['responses'], said(token('Fine.', [token(['EVIL.'])]))],
])('%s between texts is not shown', async (_name, apis, events) => {
  for (const api of apis) {
    const { body } = await asked(api, 'strict', events)
    expect([api, body.includes('EVIL'), body.includes('UNCHECKED')]).toEqual([api, false, true])
  }
})

test('log probabilities stay with their text', async () => {
  const right = said(token('F'), token('ine', [token('air')]), token('.'))
  for (const model of ['plain', 'strict', 'safe']) {
    const reply = await asked('responses', model, right)
    expect([model, reply.body.includes('"token":"ine"'), reply.body.includes('"token":"air"')]).toEqual([model, true, true])
    if (model !== 'plain') expect(verdictOf(reply)).toMatchObject({ status: 'valid' })
  }
})

test('log probabilities of an answer in one piece are shown in a stream', async () => {
  const passed = { index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }
  for (const [word, isShown] of [
    ['Fine', true],
    ['EVIL', false],
  ] as const) {
    const choice = { ...passed, logprobs: { content: [token(word), token('.')] } }
    for (const api of ['chat', 'responses'] as const) {
      for (const model of isShown ? ['plain', 'strict'] : ['strict']) {
        gateway.upstream.enqueue(answeringBody({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [choice] }))
        const { body } = await ask(gateway, api, { model, stream: true })
        expect([api, model, body.includes(`"token":"${word}"`)]).toEqual([api, model, isShown])
      }
    }
  }
})

test('tokens that were not chosen have no secrets', async () => {
  const { body } = await asked('responses', 'safe', said(token('Fine.', [token('jane.doe@acme.org')])))
  expect([body.includes('jane'), body.includes('[EMAIL]')]).toEqual([false, true])
})
