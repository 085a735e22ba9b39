import type { ChoiceEvent } from '@stickler/core/internal/apis'
import { type ChoiceEvents, readWhole } from '@stickler/core/internal/relay'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Behaviour, type ProgrammableUpstream, startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { breakingOff, endingEarly, fallingSilent, silence } from '../../testing/programmable-upstream-faults.ts'
import { asking, calling, readChoice, readFirst } from '../../testing/programmable-upstream-reading.ts'
import { fanOut } from '../adapted-upstream.ts'
import type { Upstream } from '../upstream.ts'
import { anthropicUpstream } from './anthropic-upstream.ts'

const key = 'sk-ant-canary-123'
let server: ProgrammableUpstream
let upstream: Upstream

beforeAll(async () => {
  server = await startProgrammableUpstream(silence)
  upstream = anthropicUpstream({ name: 'claude', baseUrl: server.url, apiKey: key, timeouts: { idleMs: 200 } })
})
afterAll(async () => {
  await upstream.close()
  await server.close()
})

describe('an answer is the same, streamed or not', () => {
  const usage = { prompt: 3, completion: 5 }
  it.each<[string, Behaviour, object]>([
    [
      'text',
      answering('Hello, wörld 🙂!', { usage }),
      { finishReason: 'end_turn', wire: 'messages', message: { role: 'assistant', content: 'Hello, wörld 🙂!' } },
    ],
    ['cut off', answering('Hello', { usage, finishReason: 'max_tokens' }), { finishReason: 'max_tokens' }],
    ['stop sequence', answering('Hello', { usage, finishReason: 'stop_sequence' }), { finishReason: 'stop_sequence' }],
    ['refusal', answering('', { usage, finishReason: 'refusal' }), { finishReason: 'refusal', refused: true }],
    ['an unknown reason', answering('x', { usage, finishReason: 'new_reason' }), { finishReason: 'new_reason' }],
    [
      'tool calls',
      answering('', {
        usage,
        toolCalls: [
          { id: 't1', name: 'f', arguments: '{"x":"é"}' },
          { id: 't2', name: 'g', arguments: '{}' },
        ],
      }),
      {
        finishReason: 'tool_use',
        toolCalls: [
          { id: 't1', name: 'f', arguments: '{"x":"é"}' },
          { id: 't2', name: 'g', arguments: '{}' },
        ],
        message: {
          content: null,
          tool_calls: [
            { id: 't1', type: 'function' },
            { id: 't2', type: 'function' },
          ],
        },
      },
    ],
    [
      'thinking',
      answering('42', { usage, reasoning: 'Let me think about this.' }),
      {
        message: {
          content: '42',
          reasoning_content: 'Let me think about this.',
          thinking_blocks: [{ type: 'thinking', thinking: 'Let me think about this.', signature: 'signed' }],
        },
      },
    ],
  ])('%s', async (_, behaviour, end) => {
    server.enqueue(behaviour, behaviour)
    const whole = upstream.call(asking('hi'), calling())
    const [a, streamed] = [await readFirst(whole), upstream.call(asking('hi', { stream: true }), calling())]
    const b = await readFirst(streamed)
    expect(a.failure).toBeUndefined()
    expect(a.end).toMatchObject(end)
    expect(b.text).toBe(a.text)
    expect(b.end).toEqual(a.end)
    // How much came before the end is known of streams alone.
    expect({ ...streamed.head(), received: 0 }).toEqual({ ...whole.head(), received: 0 })
    expect(whole.head()).toMatchObject({ id: 'msg_1', usage: { promptTokens: 3, completionTokens: 5 }, rawUsage: { total_tokens: 8 } })
  })

  it('tokens of the cache are counted', async () => {
    server.enqueue(
      answering('x', {
        fields: { usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 30, cache_creation_input_tokens: 400 } },
      }),
    )
    const call = upstream.call(asking('hi'), calling())
    await readFirst(call)
    expect(call.head()).toMatchObject({
      usage: { promptTokens: 431, completionTokens: 2 },
      rawUsage: { prompt_tokens: 431, prompt_tokens_details: { cached_tokens: 30 }, cache_creation_input_tokens: 400 },
    })
  })

  it.each([
    ['{ "n": 12345678901234567890, "z": -0 }', '{ "n": 12345678901234567890, "z": -0 }'],
    ['{}', '{}'],
    ['null', '{}'],
  ])('the input of a tool stays as it is written: %s', async (input, written) => {
    const block = `{"type":"tool_use","id":"a","name":"f","input":${input}}`
    server.enqueue(answeringBody(`{"content":[{"type":"text","text":"}],"},${block}],"stop_reason":"tool_use"}`))
    const [choice] = upstream.call(asking('hi'), calling()).choices
    const events: ChoiceEvent[] = []
    await readWhole(choice as ChoiceEvents, (event) => events.push(event))
    const end = events.at(-1)
    expect(end).toMatchObject({ type: 'end', toolCalls: [{ id: 'a', name: 'f', arguments: written }] })
  })

  it('several choices are several calls', async () => {
    const before = server.requests.length
    server.enqueue(answering('a', { usage: { prompt: 1, completion: 2 } }), answering('b', { usage: { prompt: 1, completion: 3 } }))
    const call = fanOut(upstream).call(asking('hi', { n: 2 }), calling())
    expect((await Promise.all(call.choices.map(readChoice))).map(({ text }) => text).sort()).toEqual(['a', 'b'])
    expect(call.head()).toMatchObject({ usage: { promptTokens: 2, completionTokens: 5 }, rawUsage: { total_tokens: 7 } })
    expect(server.requests.length - before).toBe(2)
    expect(server.requests.at(-1)?.json).not.toHaveProperty('n')
  })
})

describe('failures', () => {
  it.each<[string, Behaviour, boolean, object]>([
    [
      'an error event',
      answeringEvents([{ type: 'error', error: { type: 'overloaded_error', message: `busy ${key}` } }]),
      true,
      { kind: 'http', details: { status: 529 } },
    ],
    ['an unknown error event', answeringEvents([{ type: 'error', error: { type: 'x', message: 'odd' } }]), true, { kind: 'protocol' }],
    [
      'an error status',
      answeringBody(
        { type: 'error', error: { type: 'rate_limit_error', message: `slow down ${key}` } },
        { status: 429, headers: { 'retry-after': '2' } },
      ),
      false,
      { kind: 'http', details: { status: 429, retryAfterMs: 2000 } },
    ],
    [
      'an error with status 200',
      answeringBody({ type: 'error', error: { type: 'api_error', message: 'oops' } }),
      false,
      { kind: 'http', details: { status: 500 } },
    ],
    ['a stream without an end', endingEarly('a long text', 5), true, { kind: 'protocol' }],
    ['a stream that breaks', breakingOff('a long text', 5), true, { kind: 'connection' }],
    ['a stream that falls silent', fallingSilent('a long text', 5), true, { kind: 'timeout' }],
    ['no content', answeringBody({ id: 'x' }), false, { kind: 'protocol' }],
    ['HTML', answeringBody('<html>', { contentType: 'text/html' }), true, { kind: 'protocol' }],
  ])('%s', async (_, behaviour, stream, failure) => {
    server.enqueue(behaviour)
    const read = await readFirst(upstream.call(asking('hi', { stream }), calling()))
    expect(read.failure).toMatchObject(failure)
    expect(JSON.stringify([read.failure, read.failure?.message])).not.toContain(key)
    expect(read.end).toBeUndefined()
  })
})

describe('what is sent', () => {
  async function sent(fields: Record<string, unknown>): Promise<Readonly<Record<string, unknown>> | undefined> {
    server.enqueue(answering('x'))
    await readFirst(upstream.call(asking('hi', fields), calling()))
    return server.requests.at(-1)?.json
  }
  const user = { role: 'user', content: 'hi' }

  it('the headers', async () => {
    await sent({})
    expect(server.requests.at(-1)).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' } })
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('authorization')
  })

  it('the version of the path once', async () => {
    const own = anthropicUpstream({ name: 'claude', baseUrl: `${server.url}/v1/` })
    server.enqueue(answering('x'))
    await readFirst(own.call(asking('hi'), calling()))
    expect(server.requests.at(-1)?.path).toBe('/v1/messages')
    await own.close()
  })

  it.each<[string, Record<string, unknown>, object]>([
    ['a plain question', {}, { model: 'test-model', max_tokens: 4096, messages: [user] }],
    [
      'system and developer messages',
      { messages: [{ role: 'system', content: 'a' }, user, { role: 'developer', content: 'b' }] },
      {
        system: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        messages: [user],
      },
    ],
    [
      'limits and sampling',
      { max_completion_tokens: 7, temperature: 1.7, top_p: 0.5, stop: 'x', user: 'u' },
      { max_tokens: 7, temperature: 1, top_p: 0.5, stop_sequences: ['x'], metadata: { user_id: 'u' } },
    ],
    ['several stops', { stop: ['a', '', 'b'] }, { stop_sequences: ['a', 'b'] }],
    [
      'images',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
              { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
            ],
          },
        ],
      },
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
              { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
            ],
          },
        ],
      },
    ],
    [
      'calls and their results',
      {
        messages: [
          user,
          {
            role: 'assistant',
            content: null,
            thinking_blocks: [{ type: 'thinking', thinking: 't', signature: 's' }],
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
              { id: 'b', type: 'function', function: { name: 'g', arguments: 'not json' } },
            ],
          },
          { role: 'tool', tool_call_id: 'a', content: '1' },
          { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: '2' }] },
          { role: 'user', content: 'and now?' },
        ],
      },
      {
        messages: [
          user,
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 't', signature: 's' },
              { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
              { type: 'tool_use', id: 'b', name: 'g', input: { arguments: 'not json' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: '1' },
              { type: 'tool_result', tool_use_id: 'b', content: '2' },
              { type: 'text', text: 'and now?' },
            ],
          },
        ],
      },
    ],
    [
      'tools',
      {
        tools: [
          { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object' } } },
          { type: 'function', function: { name: 'g' } },
        ],
        tool_choice: 'required',
        parallel_tool_calls: false,
      },
      {
        tools: [
          { name: 'f', description: 'd', input_schema: { type: 'object' } },
          { name: 'g', input_schema: { type: 'object', properties: {} } },
        ],
        tool_choice: { type: 'any', disable_parallel_tool_use: true },
      },
    ],
    [
      'one tool',
      { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: { type: 'function', function: { name: 'f' } } },
      { tool_choice: { type: 'tool', name: 'f' } },
    ],
    ['thinking', { thinking: { type: 'enabled', budget_tokens: 1024 } }, { thinking: { type: 'enabled', budget_tokens: 1024 } }],
  ])('%s', async (_, fields, expected) => {
    expect(await sent(fields)).toMatchObject(expected)
  })

  it('nothing that has no equivalent, and tells so', async () => {
    server.enqueue(answering('x'))
    const call = upstream.call(asking('hi', { seed: 1, mcp_servers: [{ url: 'https://evil.example' }], tool_choice: 'auto' }), calling())
    await readFirst(call)
    expect(Object.keys(server.requests.at(-1)?.json ?? {}).sort()).toEqual(['max_tokens', 'messages', 'model'])
    expect(call.head().dropped).toEqual(['tool_choice', 'seed', 'mcp_servers'])
  })

  it('nothing at all, when a field without an equivalent would be missed', async () => {
    const before = server.requests.length
    const { failure } = await readFirst(upstream.call(asking('hi', { response_format: { type: 'json_object' } }), calling()))
    expect(failure).toMatchObject({ kind: 'http', details: { status: 400, body: expect.stringContaining('response_format.type') } })
    expect(server.requests.length).toBe(before)
  })
})
