import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask } from '../../testing/wire.ts'

type Json = Record<string, unknown>

const yaml = `
upstreams:
  - { name: o, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
contracts:
  brief: { checks: [{ max_words: { limit: 2 } }, tool_calls], retries: 0, repair: never }
routes:
  - { model: brief, upstream: o, contract: brief }
  - { model: plain, upstream: o }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const long = 'one two three CANARY five'
const item = (text: string, id = 'i'): Json => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const call = (given: string): Json => ({
  type: 'function_call',
  id: 'c',
  call_id: 'k',
  name: 'f',
  arguments: given,
  status: 'completed',
})
const response = (output: readonly Json[]): Json => ({
  id: 'r',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'x',
  output,
})
const place = { item_id: 'i', output_index: 0, content_index: 0 }
const begun: readonly Json[] = [
  { type: 'response.created', response: { ...response([]), status: 'in_progress' } },
  { type: 'response.output_item.added', output_index: 0, item: { ...item(''), content: [] } },
  { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
]
const said: readonly Json[] = [
  ...begun,
  { type: 'response.output_text.delta', ...place, delta: 'Yes' },
  { type: 'response.output_text.done', ...place, text: 'Yes' },
  { type: 'response.output_item.done', output_index: 0, item: item('Yes') },
]
const completed = (...output: Json[]): Json => ({ type: 'response.completed', response: response(output) })
const chunk = (choice: Json, finish: string | null = null): Json => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'x',
  choices: [{ index: 0, finish_reason: finish, ...choice }],
})

describe('N92 words that no check has read are never delivered as valid', () => {
  test.each<[string, 'chat' | 'responses', readonly Json[]]>([
    ['other words at the end', 'responses', [...said, completed(item(long))]],
    ['a second message at the end', 'responses', [...said, completed(item('Yes'), item(long, 'j'))]],
    ['words only at the end, though a part has begun', 'responses', [...begun, completed(item(long))]],
    [
      'words only in an event that ends a text',
      'responses',
      [...begun, { type: 'response.output_text.done', ...place, text: long }, completed(item(long))],
    ],
    [
      'other words in an event that ends an item, and nothing at the end',
      'responses',
      [...said.slice(0, 5), { type: 'response.output_item.done', output_index: 0, item: item(long) }, completed()],
    ],
    [
      'other arguments than those that were told in pieces',
      'responses',
      [
        begun[0] as Json,
        { type: 'response.output_item.added', output_index: 0, item: call('') },
        { type: 'response.function_call_arguments.delta', item_id: 'c', output_index: 0, delta: '{"x":"CANARY"}' },
        completed(call('{}')),
      ],
    ],
    [
      'a message beside a piece',
      'chat',
      [
        chunk({ delta: { content: 'Yes' } }),
        chunk({ delta: {}, message: { role: 'assistant', content: long } }),
        chunk({ delta: {} }, 'stop'),
      ],
    ],
    [
      'a message beside every piece',
      'chat',
      [
        ...['Yes', ' it', ' is'].map((content) => chunk({ delta: { content }, message: { role: 'assistant', content: long } })),
        chunk({ delta: {} }, 'stop'),
      ],
    ],
  ])('%s', async (_name, api, events) => {
    const fields = api === 'responses' ? { tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }] } : {}
    gateway.upstream.enqueue(answeringEvents(events, { done: api === 'chat' }))
    const { body } = await ask(gateway, api, { model: 'brief', stream: true, fields })
    expect(body.includes('CANARY') && body.includes('"status":"valid"')).toBe(false)
    expect(body).not.toContain('"text":"one two')
    // Without a contract all of it arrives.
    gateway.upstream.enqueue(answeringEvents(events, { done: api === 'chat' }))
    expect((await ask(gateway, api, { model: 'plain', stream: true, fields })).status).toBe(200)
  })

  test.each<[string, 'chat' | 'responses', readonly Json[]]>([
    ['an end that repeats it', 'responses', [...said, completed(item('Yes'))]],
    ['an end that leaves it out', 'responses', [...said, completed()]],
    [
      'a message that repeats it',
      'chat',
      [chunk({ delta: { content: 'Yes' } }), chunk({ delta: {}, message: { role: 'assistant', content: 'Yes' } }, 'stop')],
    ],
  ])('and what is only repeated is valid: %s', async (_name, api, events) => {
    gateway.upstream.enqueue(answeringEvents(events, { done: api === 'chat' }))
    expect((await ask(gateway, api, { model: 'brief', stream: true })).body).toContain('"status":"valid"')
  })
})
