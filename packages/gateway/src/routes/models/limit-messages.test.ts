import { chat as chatApi, messages, responses } from '@stickler/core/internal/apis'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Target } from '../../requests/target.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { limitMessages } from './limit-messages.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: other, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
routes:
  - { model: up, upstream: up, messages: { count: 5, characters: 100 } }
  - { model: other, upstream: other, messages: { count: 5, characters: 100 } }
  - { model: up-budget, upstream: up }
  - { model: other-budget, upstream: other }
server: { port: 0, perKey: { tokensPerDay: 45000 } }
`

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

type Json = Record<string, unknown>

const big = 'word '.repeat(30_000)
const bytes = 'A'.repeat(3_000)
const user = { role: 'user', content: 'hi' }
const input = (...items: readonly Json[]): Json => ({ input: [...items, user], max_output_tokens: 50 })
const block = (...content: readonly Json[]): Json => ({ messages: [{ role: 'user', content }], max_tokens: 50 })
const chat = (message: Json): Json => ({ messages: [message, user], max_tokens: 50 })

/** Much that no view of a conversation shows, each in the request of an API. */
const hidden: readonly (readonly [string, string, Json])[] = [
  ['responses', 'a result of a custom tool', input({ type: 'custom_tool_call_output', call_id: 'a', output: big })],
  ['responses', 'what a shell has put out', input({ type: 'local_shell_call_output', id: 'a', output: big })],
  ['responses', 'an unknown item', input({ type: 'weird', text: big })],
  ['responses', 'an unknown part', input({ role: 'user', content: [{ type: 'weird', text: big }] })],
  ['responses', 'a file that is text', input({ role: 'user', content: [{ type: 'input_file', filename: 'a', file_data: big }] })],
  ['responses', 'variables', { ...input(), prompt: { id: 'p', variables: { a: big } } }],
  ['messages', 'a result of a search', block({ type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: big }] })],
  ['messages', 'a document', block({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: big } })],
  ['messages', 'a document in parts', block({ type: 'document', source: { type: 'content', content: [{ type: 'text', text: big }] } })],
  ['messages', 'an unknown block', block({ type: 'weird', text: big })],
  [
    'messages',
    'thoughts',
    { max_tokens: 50, messages: [user, { role: 'assistant', content: [{ type: 'thinking', thinking: big, signature: 's' }] }, user] },
  ],
  ['chat', 'an unknown part', chat({ role: 'user', content: [{ type: 'weird', text: big }] })],
  ['chat', 'a file that is text', chat({ role: 'user', content: [{ type: 'file', file: { file_data: big } }] })],
  ...['input', 'system', 'instructions', 'prompt'].map(
    (name) => ['chat', `${name} of another API`, { ...chat(user), [name]: big }] as const,
  ),
  ...['input', 'instructions', 'prompt'].map((name) => ['messages', `${name} of another API`, { ...block(), [name]: big }] as const),
  ...['messages', 'system'].map((name) => ['responses', `${name} of another API`, { ...input(), [name]: big }] as const),
  ['chat', 'thoughts', chat({ role: 'assistant', content: 'a', reasoning_content: big })],
]

const paths: Readonly<Record<string, string>> = { chat: '/v1/chat/completions', messages: '/v1/messages', responses: '/v1/responses' }

async function post(api: string, suffix: string, fields: Json): Promise<{ status: number; body: string; isAsked: boolean }> {
  const before = gateway.upstream.requests.length
  const model = `${api === 'messages' ? 'other' : 'up'}${suffix}`
  const reply = await gateway.post(paths[api] ?? '', { model, ...fields })
  return { status: reply.status, body: await reply.text(), isAsked: gateway.upstream.requests.length > before }
}

describe('what is sent is limited and set aside, whatever a view shows of it', () => {
  test.each(hidden)('%s: %s', async (api, _name, fields) => {
    const limited = await post(api, '', fields)
    expect(limited).toMatchObject({ status: 400, isAsked: false })
    expect(limited.body).toContain('characters are allowed')
    expect(await post(api, '-budget', fields)).toMatchObject({ status: 429, isAsked: false })
  })

  test('references to items count as items', async () => {
    const items = Array.from({ length: 6 }, (_, at) => ({ type: 'item_reference', id: `item_${at}` }))
    const reply = await post('responses', '', input(...items))
    expect(reply).toMatchObject({ status: 400, isAsked: false })
    expect(reply.body).toContain('at most 5 messages')
  })
})

test.each<[string, string, Json]>([
  ['chat', 'a picture', chat({ role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${bytes}` } }] })],
  ['chat', 'a file', chat({ role: 'user', content: [{ type: 'file', file: { file_data: `data:application/pdf;base64,${bytes}` } }] })],
  ['chat', 'a sound', chat({ role: 'user', content: [{ type: 'input_audio', input_audio: { data: bytes, format: 'wav' } }] })],
  ['messages', 'a picture', block({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes } })],
  ['messages', 'a file', block({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: bytes } })],
  ['responses', 'a sound', input({ role: 'user', content: [{ type: 'input_audio', input_audio: { data: bytes, format: 'wav' } }] })],
  ['responses', 'a picture', input({ role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${bytes}` }] })],
  [
    'responses',
    'a picture of a screen',
    input({
      type: 'computer_call_output',
      call_id: 'a',
      output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${bytes}` },
    }),
  ],
  ['responses', 'a picture that was made', input({ type: 'image_generation_call', id: 'a', result: bytes })],
])('bytes are no characters: %s, %s', async (api, _name, fields) => {
  expect(await post(api, '', fields)).toMatchObject({ isAsked: true })
})

/** A value in its shortest form, which grows when it is read. */
const long = 1e20
const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(long), fc.array(fc.constant(long), { maxLength: 300, size: 'max' }))
const call = fc.record({
  id: fc.constant('a'),
  type: fc.constant('function'),
  function: fc.record({ name: fc.string(), arguments: value }),
})
const message = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
    type: fc.constantFrom('message', 'function_call', 'weird'),
    content: fc.oneof(
      fc.string(),
      fc.array(fc.record({ type: fc.constantFrom('text', 'refusal', 'tool_use'), text: fc.string(), input: value })),
    ),
    refusal: fc.string(),
    name: fc.string(),
    arguments: value,
    tool_calls: fc.array(call, { maxLength: 3 }),
    function_call: fc.record({ name: fc.string(), arguments: value }),
  },
  { requiredKeys: ['role', 'content'] },
)

test.each([chatApi, messages, responses])(
  'a body that is short enough to be let through at once has nothing that is too long: $name',
  (api) => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), fc.string(), (list, further) => {
        const name = api === responses ? 'input' : 'messages'
        const source = JSON.stringify({ model: 'm', max_tokens: 9, [name]: list, instructions: further }).replaceAll(String(long), '1e20')
        const body = JSON.parse(source) as Json
        const most = { count: Math.ceil(source.length / 2), characters: source.length * 8 }
        const target = { messages: most, contract: { policy: { locale: 'en' } } } as Target
        let read: ReturnType<typeof api.read>
        try {
          read = api.read(body, api === messages)
        } catch {
          return
        }
        expect(() => limitMessages(read, target, api)).not.toThrow()
      }),
    )
  },
)
