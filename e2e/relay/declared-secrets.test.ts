import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeclaredReply, declaredReplies } from '../../attack/generators/declared-replies.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask } from '../../packages/gateway/src/testing/wire.ts'
import { replaying } from './replaying.ts'

const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  safe: { checks: [{ sensitive: { redact: true } }], mode: lenient, retries: 0, unchecked: deliver }
routes:
  - { model: openai, upstream: openai, contract: safe }
  - { model: anthropic, upstream: anthropic, contract: safe }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

test('what no type declares but providers send is searched too', async () => {
  const { recording } = declaredReplies().find(({ recording: { api }, stream }) => api === 'responses' && !stream) as DeclaredReply
  const item = { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'aGk=', revised_prompt: 'A cat for jane@other.org' }
  const output = [item, ...(recording.whole as { output: object[] }).output]
  const [added, done] = ['added', 'done'].map((end) => ({ type: `response.output_item.${end}`, output_index: 9, item }))
  const events = [...(recording.events ?? [])]
  events.splice(-1, 0, added ?? {}, done ?? {})
  gateway.upstream.otherwise(replaying({ ...recording, whole: { ...recording.whole, output }, events }))
  for (const stream of [false, true]) {
    const { body } = await ask(gateway, 'responses', { model: 'openai', stream })
    expect([stream, body.includes('A cat for [EMAIL]'), body.includes('jane'), body.includes('aGk=')]).toEqual([stream, true, false, true])
  }
})

const said = 'Mail jane@other.org now'
test.each([
  [
    'the grammar of a tool',
    {
      type: 'additional_tools',
      id: 'a',
      role: 'developer',
      tools: [{ type: 'custom', name: 'f', format: { type: 'grammar', syntax: 'lark', definition: said } }],
    },
  ],
  ['who has compacted', { type: 'compaction', id: 'c', encrypted_content: 'x', created_by: said }],
])('%s is searched', async (_name, item) => {
  const { recording } = declaredReplies().find(({ recording: { api }, stream }) => api === 'responses' && !stream) as DeclaredReply
  const output = [...(recording.whole as { output: object[] }).output, item]
  const events = [...(recording.events ?? [])]
  events.splice(-1, 0, { type: 'response.output_item.done', output_index: 9, item })
  gateway.upstream.otherwise(replaying({ ...recording, whole: { ...recording.whole, output }, events }))
  for (const stream of [false, true]) {
    const { body } = await ask(gateway, 'responses', { model: 'openai', stream })
    expect([stream, body.includes('Mail [EMAIL] now'), body.includes('jane')]).toEqual([stream, true, false])
  }
})

test('the text that has ended an answer is searched', async () => {
  const { recording } = declaredReplies().find(({ recording: { api }, stream }) => api === 'messages' && !stream) as DeclaredReply
  const end = { stop_reason: 'stop_sequence', stop_sequence: said }
  const events = (recording.events ?? []).map((event) => (event.type === 'message_delta' ? { ...event, delta: end } : event))
  gateway.upstream.otherwise(replaying({ ...recording, whole: { ...recording.whole, ...end }, events }))
  for (const stream of [false, true]) {
    const { body } = await ask(gateway, 'messages', { model: 'anthropic', stream })
    expect([stream, body.includes('Mail [EMAIL] now'), body.includes('jane')]).toEqual([stream, true, false])
  }
})
