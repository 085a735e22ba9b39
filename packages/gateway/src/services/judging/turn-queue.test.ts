import { FairQueue } from '@stickler/core/internal/services'
import { expect, test, vi } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, apiNames, bodyOf } from '../../testing/wire.ts'

const paths: Readonly<Record<ApiName, string>> = { chat: '/v1/chat/completions', responses: '/v1/responses', messages: '/v1/messages' }

test('large work waits for the turn of its caller, wherever it is done', async () => {
  const gateway = await startTestGateway({
    env: { STICKLER_KEYS: 'alice:alice-key-0123456789' },
    behaviour: answering('word '.repeat(14_000)),
    yaml: `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }]
contracts: { long: { checks: [{ max_words: { limit: 50000 } }], stream: hold } }
routes: [{ model: plain, upstream: up }, { model: long, upstream: up, contract: long }]
`,
  })
  const added = vi.spyOn(FairQueue.prototype, 'add')
  try {
    for (const api of apiNames)
      for (const model of ['plain', 'long'])
        for (const stream of [false, true]) {
          added.mockClear()
          const body = bodyOf(api, { model, stream, fields: api === 'messages' ? { max_tokens: 10 } : {} })
          const answer = await gateway.post(paths[api], body, { authorization: 'Bearer alice-key-0123456789' })
          expect([answer.status, (await answer.text()).length > 65_536]).toEqual([200, true])
          const callers = added.mock.calls.filter(([, item]) => typeof item === 'function').map(([caller]) => caller)
          expect([api, model, stream, [...new Set(callers)]]).toEqual([api, model, stream, ['alice']])
        }
  } finally {
    added.mockRestore()
    await gateway.close()
  }
}, 30_000)
