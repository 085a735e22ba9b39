import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { type Asked, apis } from '../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

type Api = keyof typeof apis
type Fields = NonNullable<Asked['fields']>

const tool = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
})
const tools = [tool('get_weather'), tool('get_time')]
const call = { id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome"}' }
const same = (fields: Fields): Record<Api, Fields> => ({ chat: fields, responses: fields, messages: fields })
const named = (name: string): Record<Api, Fields> => ({
  chat: { tool_choice: { type: 'function', function: { name } } },
  responses: { tool_choice: { type: 'function', name } },
  messages: { tool_choice: { type: 'tool', name } },
})

/** Requests that leave nothing to call, or something else. */
const refused: Readonly<Record<string, { readonly tools?: NonNullable<Asked['tools']>; readonly fields?: Record<Api, Fields> }>> = {
  'no tools': {},
  'tools: null': { fields: same({ tools: null }) },
  'tools: []': { fields: same({ tools: [] }) },
  'a choice of none': {
    tools,
    fields: { chat: { tool_choice: 'none' }, responses: { tool_choice: 'none' }, messages: { tool_choice: { type: 'none' } } },
  },
  'another tool': { tools: [tool('get_time')] },
  'a choice of another tool': { tools, fields: named('get_time') },
}

describe.each(Object.keys(apis) as Api[])('%s', (api) => {
  describe.each([
    ['whole', false],
    ['streamed', true],
  ])('%s', (_, stream) => {
    // One contract speaks of tool calls, the other does not.
    describe.each(['called', 'marked'])('contract %s', (model) => {
      test.each(Object.entries(refused))('a call that was not offered is refused, with %s', async (_name, { fields, ...asked }) => {
        gateway.upstream.enqueue(...[1, 2].map(() => answering('', { toolCalls: [call] })))
        const seen = await apis[api](gateway, { model, stream, ...asked, ...(fields ? { fields: fields[api] } : {}) })
        expect(seen).toMatchObject({ status: 422, code: 'UNKNOWN_TOOL', calls: [], text: '' })
      })

      test('a call with two values for a key is refused', async () => {
        const twice = { ...call, arguments: '{"city":"Rome","city":"Oslo"}' }
        gateway.upstream.enqueue(...[1, 2].map(() => answering('', { toolCalls: [twice] })))
        expect(await apis[api](gateway, { model, stream, tools })).toMatchObject({ status: 422, code: 'DUPLICATE_KEY', calls: [] })
      })

      test('a call of the tool that was chosen is delivered', async () => {
        const text = model === 'marked' ? '<!-- STEP: done -->' : ''
        gateway.upstream.enqueue(answering(text, { toolCalls: [call] }))
        const seen = await apis[api](gateway, { model, stream, tools, fields: named('get_weather')[api] })
        expect(seen).toMatchObject({ status: 200, calls: [['get_weather', { city: 'Rome' }]] })
      })
    })

    test.each(['no tools', 'tools: null', 'tools: []', 'a choice of none'])('text is no call with %s', async (name) => {
      const text = '<tool_call>{"name": "get_weather", "arguments": {"city": "Rome"}}</tool_call>'
      gateway.upstream.enqueue(answering(text))
      const { fields, ...asked } = refused[name] ?? {}
      const seen = await apis[api](gateway, { model: 'called', stream, ...asked, ...(fields ? { fields: fields[api] } : {}) })
      expect(seen).toMatchObject({ status: 200, verdict: 'valid', text, calls: [] })
    })
  })
})

describe.each(Object.keys(apis) as Api[])('%s: parallel calls that are forbidden', (api) => {
  const single = { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }
  const fields = api === 'messages' ? single : { parallel_tool_calls: false }
  test.each(['called', 'marked'].flatMap((model) => [false, true].map((stream) => [model, stream] as const)))(
    'contract %s, streamed: %s',
    async (model, stream) => {
      const toolCalls = [call, { ...call, id: 'call_2' }]
      gateway.upstream.enqueue(...[1, 2].map(() => answering('<!-- STEP: done -->', { toolCalls })))
      expect(await apis[api](gateway, { model, stream, tools, fields })).toMatchObject({ status: 422, code: 'PARALLEL_CALLS', calls: [] })
    },
  )
})

describe('choices of chat completions in other words', () => {
  const none: Fields[] = [
    { tool_choice: 'NONE' },
    { tool_choice: ' none ' },
    { tool_choice: { mode: 'none' } },
    { tool_choice: 'get_time' },
  ]
  const legacy: Fields = { tool_choice: 'auto', function_call: 'none' }
  const unknown: Fields[] = [{ tool_choice: 'whatever' }, { tool_choice: { type: 'web_search_preview' } }]
  const ways = ['called', 'marked'].flatMap((model) => [false, true].map((stream) => ({ model, stream })))
  test.each([...none, legacy])('%j excludes the call', async (fields) => {
    for (const way of ways) {
      gateway.upstream.enqueue(...[1, 2].map(() => answering('<!-- STEP: done -->', { toolCalls: [call] })))
      expect(await apis.chat(gateway, { ...way, tools, fields })).toMatchObject({ status: 422, code: 'UNKNOWN_TOOL', calls: [] })
    }
  })

  test.each(unknown)('nobody can judge a call with %j', async (fields) => {
    for (const way of ways) {
      gateway.upstream.enqueue(answering('<!-- STEP: done -->', { toolCalls: [call] }))
      const seen = await apis.chat(gateway, { ...way, tools, fields })
      // A strict contract withholds what is unchecked.
      expect(seen).toMatchObject({ calls: [], text: '' })
      expect(seen.status).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('the deprecated functions of chat completions', () => {
  const functions = [tool('get_weather').function]
  test.each<[string, Fields, number]>([
    ['offered', { functions }, 200],
    ['chosen', { functions, function_call: { name: 'get_weather' } }, 200],
    ['a choice of none', { functions, function_call: 'none' }, 422],
    ['others', { functions: [tool('get_time').function] }, 422],
  ])('%s', async (_name, fields, status) => {
    gateway.upstream.enqueue(...Array.from({ length: status === 200 ? 1 : 2 }, () => answering('', { toolCalls: [call] })))
    expect(await apis.chat(gateway, { model: 'called', stream: false, fields })).toMatchObject({ status })
  })
})

const turn = [{ role: 'user', content: 'Hi' }]
const bodies: Record<Api, readonly [path: string, body: object]> = {
  chat: ['/v1/chat/completions', { messages: turn }],
  responses: ['/v1/responses', { input: 'Hi' }],
  messages: ['/v1/messages', { messages: turn, max_tokens: 99 }],
}

test.each((Object.keys(apis) as Api[]).flatMap((api) => [false, true].map((stream) => [api, stream] as const)))(
  'a secret in the name of a tool that was made up is repeated in no reply and no log line: %s, streamed: %s',
  async (api, stream) => {
    const secret = 'Ab3dE6gH9jK2mN5pQ8sT'
    const [path, body] = bodies[api]
    const before = gateway.logLines.length
    gateway.upstream.enqueue(...[1, 2].map(() => answering('', { toolCalls: [{ ...call, name: `lookup_sk-proj-${secret}` }] })))
    const text = await (await gateway.post(path, { model: 'called', stream, ...body })).text()
    expect(text).toContain('UNKNOWN_TOOL')
    expect([text, ...gateway.logLines.slice(before)].join('\n')).not.toContain(secret)
  },
)
