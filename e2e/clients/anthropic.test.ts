import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { type Behaviour, closedPort } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff, failing, fallingSilent, silence } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
server: { port: 0, bodyLimit: 65536 }
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
  - { name: gone, kind: anthropic, baseUrl: $GONE/v1, retries: 0 }
  - { name: hasty, kind: anthropic, baseUrl: $UP/v1, retries: 0, timeouts: { firstByte: 0.2 } }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 1, stream: hold }
  called: { checks: [tool_calls], retries: 1 }
routes:
  - { model: brief-openai, upstream: openai, contract: brief }
  - { model: brief-anthropic, upstream: anthropic, contract: brief }
  - { model: called-openai, upstream: openai, contract: called }
  - { model: called-anthropic, upstream: anthropic, contract: called }
  - { model: plain-openai, upstream: openai }
  - { model: plain-anthropic, upstream: anthropic, upstreamModel: claude-x }
  - { model: lost, upstream: gone }
  - { model: hasty, upstream: hasty }
`
const key = 'sk-of-a-client-1234'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml: yaml.replace('$GONE', await closedPort()), env: { STICKLER_KEYS: `tester:${key}` } })
})
afterAll(() => gateway.close())

function client(options: { readonly maxRetries?: number; readonly apiKey?: string } = {}): Anthropic {
  return new Anthropic({ baseURL: gateway.url, apiKey: key, ...options })
}

const sent = () => gateway.upstream.requests.at(-1)
const messages = [{ role: 'user' as const, content: 'Tabs or spaces?' }]
const input_schema = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ name: 'get_weather', description: 'Tells the weather.', input_schema }]
const rome = { id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Rome"}' }
const usage = { prompt: 11, completion: 3 }

async function asked(model: string, stream: boolean, fields: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}) {
  const params = { model, max_tokens: 100, messages, ...fields }
  return stream ? await client().messages.stream(params).finalMessage() : await client().messages.create(params)
}

describe.each(['openai', 'anthropic'])('in front of %s', (kind) => {
  describe.each([true, false])('streamed: %s', (stream) => {
    it('gives the answer, its usage and the verdict', async () => {
      gateway.upstream.enqueue(answering('Use spaces.', { usage }))
      const message = await asked(`brief-${kind}`, stream, { system: 'Be brief.', metadata: { user_id: 'u1' }, stop_sequences: ['END'] })
      expect(message).toMatchObject({
        type: 'message',
        role: 'assistant',
        model: `brief-${kind}`,
        content: [{ type: 'text', text: 'Use spaces.' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 11, output_tokens: 3 },
      })
      expect(sent()?.path).toBe(kind === 'openai' ? '/v1/chat/completions' : '/v1/messages')
      expect(sent()?.json).toMatchObject(
        kind === 'openai'
          ? {
              messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
              max_tokens: 100,
              user: 'u1',
              stop: ['END'],
            }
          : { system: 'Be brief.', messages, max_tokens: 100, stop_sequences: ['END'] },
      )
    })

    it('asks again when the answer is bad', async () => {
      gateway.upstream.enqueue(answering('That depends on so many things.'), answering('Use spaces.'))
      const message = await asked(`brief-${kind}`, stream)
      expect(message.content).toMatchObject([{ type: 'text', text: 'Use spaces.' }])
      expect(JSON.stringify(sent()?.json?.messages)).toContain('MAX_WORDS')
    })

    it('hands out tool calls, and takes their results', async () => {
      gateway.upstream.enqueue(answering('', { toolCalls: [rome] }))
      const message = await asked(`called-${kind}`, stream, { tools, tool_choice: { type: 'any' } })
      expect(message).toMatchObject({
        stop_reason: 'tool_use',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Rome' } }],
      })
      gateway.upstream.enqueue(answering('Sunny.'))
      const results = { role: 'user' as const, content: [{ type: 'tool_result' as const, tool_use_id: 'toolu_1', content: 'sun' }] }
      const turns = [...messages, { role: 'assistant' as const, content: message.content }, results]
      expect((await asked(`called-${kind}`, stream, { tools, messages: turns })).content).toMatchObject([{ text: 'Sunny.' }])
      expect(sent()?.json?.messages).toMatchObject(
        kind === 'openai'
          ? [
              { role: 'user' },
              { role: 'assistant', tool_calls: [{ id: 'toolu_1' }] },
              { role: 'tool', tool_call_id: 'toolu_1', content: 'sun' },
            ]
          : turns,
      )
    })

    it('raises a broken contract once', async () => {
      const before = gateway.upstream.requests.length
      gateway.upstream.enqueue(answering('one two three four five six'), answering('one two three four five six seven'))
      const error: unknown = await asked(`brief-${kind}`, stream).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Anthropic.UnprocessableEntityError)
      expect(error).toMatchObject({ status: 422, error: { type: 'error', error: { type: 'contract_violation' } } })
      expect(gateway.upstream.requests.length - before).toBe(2)
    })
  })

  it('streams the events of the API in their order', async () => {
    gateway.upstream.enqueue(answering('Use spaces.', { usage, reasoning: 'Hm.' }))
    const types: string[] = []
    for await (const { type } of await client().messages.create({ model: `plain-${kind}`, max_tokens: 9, messages, stream: true }))
      if (types.at(-1) !== type) types.push(type)
    const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
    expect(types).toEqual(['message_start', ...block, ...block, 'message_delta', 'message_stop'])
  })

  it('ends the call of the upstream when a stream is aborted', async () => {
    gateway.upstream.enqueue(fallingSilent('Use spaces, not tabs.', 5))
    const stream = client().messages.stream({ model: `plain-${kind}`, max_tokens: 9, messages })
    stream.on('text', () => stream.abort())
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    const request = sent()
    await request?.closed
    expect(request?.aborted).toBe(true)
  })

  it('ends the call of the upstream when a whole answer is aborted', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(silence)
    const controller = new AbortController()
    const waiting = client().messages.create({ model: `brief-${kind}`, max_tokens: 9, messages }, { signal: controller.signal })
    const failed = expect(waiting).rejects.toBeInstanceOf(Anthropic.APIUserAbortError)
    await vi.waitFor(() => expect(gateway.upstream.requests.length).toBe(before + 1))
    controller.abort()
    await failed
    const request = sent()
    await request?.closed
    expect(request?.aborted).toBe(true)
  })

  it('raises a stream that breaks', async () => {
    gateway.upstream.enqueue(breakingOff('Use spaces, not tabs.', kind === 'openai' ? 3 : 5))
    await expect(
      client()
        .messages.stream({ model: `plain-${kind}`, max_tokens: 9, messages })
        .finalMessage(),
    ).rejects.toMatchObject({
      error: {
        type: 'error',
        error: { type: 'api_error', message: 'The connection to the upstream broke before the answer was complete.' },
      },
    })
  })
})

describe('what only Anthropic understands', () => {
  const cache_control = { type: 'ephemeral' as const }
  const thought = { type: 'thinking' as const, thinking: 'Hm.', signature: 'signed' }
  const veiled = { type: 'redacted_thinking' as const, data: 'c2VjcmV0' }
  const call = { type: 'tool_use' as const, id: 'toolu_1', name: 'get_weather', input: { city: 'Rome' }, cache_control }
  const turns: Anthropic.MessageParam[] = [
    { role: 'user', content: [{ type: 'text', text: 'Weather?', cache_control }] },
    { role: 'assistant', content: [thought, veiled, { type: 'text', text: 'I look.' }, call] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sun', cache_control }] },
  ]
  const thinking = { type: 'enabled' as const, budget_tokens: 2048 }
  const fields = { messages: turns, system: [{ type: 'text' as const, text: 'Be kind.', cache_control }], thinking, max_tokens: 4096 }

  it.each([true, false])('reaches it untouched; streamed: %s', async (stream) => {
    gateway.upstream.enqueue(answering('Sunny.', { reasoning: 'Sun.' }))
    const message = await asked('plain-anthropic', stream, {
      ...fields,
      tools: [{ ...tools[0], input_schema, name: 'get_weather', cache_control }],
    })
    expect(sent()?.json).toMatchObject({
      model: 'claude-x',
      thinking,
      system: fields.system,
      messages: turns,
      tools: [{ name: 'get_weather', input_schema, cache_control }],
    })
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Sun.', signature: 'signed' },
      { type: 'text', text: 'Sunny.' },
    ])
  })

  it('is left out for others', async () => {
    await asked('plain-openai', false, fields)
    const body = sent()?.body ?? ''
    for (const word of ['cache_control', 'thinking', 'signed', 'c2VjcmV0']) expect(body).not.toContain(word)
    expect(sent()?.json).toMatchObject({ reasoning_effort: 'low' })
  })

  it('tells tokens of the cache apart', async () => {
    const counts = { input_tokens: 5, cache_read_input_tokens: 20, cache_creation_input_tokens: 7, output_tokens: 3 }
    gateway.upstream.enqueue(
      answeringBody({
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text: 'Ok.' }],
        stop_reason: 'end_turn',
        usage: counts,
      }),
    )
    expect((await asked('plain-anthropic', false)).usage).toMatchObject(counts)
  })
})

interface Refusal {
  readonly model?: string
  readonly upstream?: Behaviour
  readonly content?: string
  readonly fields?: object
  readonly apiKey?: string
  readonly raised: new (...args: never[]) => Error
  readonly status: number
  readonly type: string
  readonly retryAfter?: string
}

const refusals: Readonly<Record<string, Refusal>> = {
  'a wrong parameter': { fields: { max_tokens: -1 }, raised: Anthropic.BadRequestError, status: 400, type: 'invalid_request_error' },
  'a wrong key': { apiKey: 'sk-of-nobody-1234', raised: Anthropic.AuthenticationError, status: 401, type: 'authentication_error' },
  'an unknown model': { model: 'breif', raised: Anthropic.NotFoundError, status: 404, type: 'not_found_error' },
  'a body that is too large': { content: 'x'.repeat(70_000), raised: Anthropic.APIError, status: 413, type: 'request_too_large' },
  'an upstream that limits': {
    upstream: failing(429, { 'retry-after': '7' }),
    raised: Anthropic.RateLimitError,
    status: 429,
    type: 'rate_limit_error',
    retryAfter: '7',
  },
  'an upstream that cannot be reached': { model: 'lost', raised: Anthropic.InternalServerError, status: 502, type: 'api_error' },
  'an upstream that is overloaded': {
    upstream: failing(529),
    raised: Anthropic.InternalServerError,
    status: 529,
    type: 'overloaded_error',
  },
  'an upstream that is silent': {
    model: 'hasty',
    upstream: silence,
    raised: Anthropic.InternalServerError,
    status: 504,
    type: 'timeout_error',
  },
}

describe.each([true, false])('errors; streamed: %s', (stream) => {
  test.each(Object.entries(refusals))('%s', async (_, refusal) => {
    const { model = 'plain-anthropic', upstream, content = 'Hello?', fields = {}, apiKey = key } = refusal
    if (upstream !== undefined) gateway.upstream.enqueue(upstream)
    const params = { model, max_tokens: 9, stream, messages: [{ role: 'user' as const, content }], ...fields }
    const error: unknown = await client({ maxRetries: 0, apiKey })
      .messages.create(params)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(refusal.raised)
    const { status, error: body, headers } = error as InstanceType<typeof Anthropic.APIError>
    expect(status).toBe(refusal.status)
    expect(body).toMatchObject({ type: 'error', error: { type: refusal.type, message: expect.any(String) } })
    expect(headers?.get('retry-after')).toBe(refusal.retryAfter ?? null)
  })
})
