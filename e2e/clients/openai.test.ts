import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { type Behaviour, closedPort } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff, failing, fallingSilent, silence } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
server: { port: 0, bodyLimit: 65536 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, timeouts: { firstByte: 0.2, idle: 5 } }
  - { name: gone, kind: openai, baseUrl: $GONE, retries: 0 }
  - { name: patient, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 1, stream: hold }
  grounded: { checks: [{ citations: {} }], retries: 1 }
  called: { checks: [tool_calls], retries: 1 }
routes:
  - { model: brief, upstream: patient, contract: brief }
  - { model: grounded, upstream: patient, contract: grounded }
  - { model: called, upstream: patient, contract: called }
  - { model: plain, upstream: patient }
  - { model: hasty, upstream: up }
  - { model: lost, upstream: gone }
`
const key = 'sk-of-a-client-1234'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml: yaml.replace('$GONE', await closedPort()), env: { STICKLER_KEYS: `tester:${key}` } })
})
afterAll(() => gateway.close())

/** The client as people make it; `maxRetries` is 2 unless told otherwise. */
function client(options: { readonly maxRetries?: number; readonly apiKey?: string } = {}): OpenAI {
  return new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, ...options })
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const sent = () => gateway.upstream.requests.at(-1)?.json
const messages = [{ role: 'user' as const, content: 'Tabs or spaces?' }]
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }]
const rome = { id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome"}' }
const tokens = [
  { token: 'Use ', logprob: -0.1, bytes: [85], top_logprobs: [] },
  { token: 'spaces.', logprob: -0.2, bytes: null, top_logprobs: [{ token: 'tabs.', logprob: -2, bytes: null }] },
]

describe('chat completions', () => {
  it('gives the answer, its usage and the verdict', async () => {
    gateway.upstream.enqueue(answering('Use spaces.', { usage: { prompt: 11, completion: 3 }, reasoning: 'Hm.' }))
    const { data, response } = await client().chat.completions.create({ model: 'brief', messages }).withResponse()
    expect(data.choices).toMatchObject([
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Use spaces.', reasoning_content: 'Hm.' } },
    ])
    expect(data).toMatchObject({
      model: 'brief',
      usage: { total_tokens: 14 },
      stickler: { status: 'valid', contract: 'brief', attempts: 1 },
    })
    expect(response.headers.get('x-stickler-status')).toBe('valid')
    expect(data).toMatchObject({ _request_id: response.headers.get('x-request-id') })
  })

  it('adds the usage of all attempts', async () => {
    const usage = { prompt: 10, completion: 7 }
    for (const stream of [false, true]) {
      gateway.upstream.enqueue(answering('That depends on so many things.', { usage }), answering('Use spaces.', { usage }))
      const ask = { model: 'brief', messages }
      const got = stream
        ? (await collect(await client().chat.completions.create({ ...ask, stream, stream_options: { include_usage: true } }))).at(-1)
        : await client().chat.completions.create(ask)
      // A stream that is stopped early never tells its usage.
      expect(got?.usage).toMatchObject(
        stream ? { prompt_tokens: expect.any(Number) } : { prompt_tokens: 20, completion_tokens: 14, total_tokens: 34 },
      )
    }
  })

  it('streams chunks that all have choices, with usage only when it is asked for', async () => {
    const ask = { model: 'plain', messages, stream: true as const }
    for (const wanted of [true, false]) {
      gateway.upstream.enqueue(answering('Use spaces.', { usage: { prompt: 11, completion: 3 }, reasoning: 'Let me think.' }))
      const chunks = await collect(
        await client().chat.completions.create({ ...ask, ...(wanted ? { stream_options: { include_usage: true } } : {}) }),
      )
      expect(chunks.every(({ choices }) => Array.isArray(choices))).toBe(true)
      expect(chunks.filter(({ usage }) => usage).map(({ usage, choices }) => [choices.length, usage?.total_tokens])).toEqual(
        wanted ? [[0, 14]] : [],
      )
      const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta as Record<string, string>))
      expect(deltas[0]).toMatchObject({ role: 'assistant' })
      expect(deltas.map(({ content = '' }) => content).join('')).toBe('Use spaces.')
      expect(deltas.map(({ reasoning_content = '' }) => reasoning_content).join('')).toBe('Let me think.')
      expect(chunks.findLast(({ choices }) => choices.length > 0)?.choices[0]?.finish_reason).toBe('stop')
    }
  })

  it.each([true, false])('keeps two choices apart, and their probabilities with them; streamed: %s', async (stream) => {
    const logprobs = { content: tokens, refusal: null }
    const chunk = (index: number, delta: object, more: object = {}) => ({
      id: 'c',
      choices: [{ index, delta, finish_reason: null, ...more }],
    })
    const whole = [0, 1].map((index) => ({
      index,
      message: { role: 'assistant', content: index === 0 ? 'Use spaces.' : 'Use tabs.' },
      finish_reason: 'stop',
      logprobs: index === 0 ? logprobs : null,
    }))
    gateway.upstream.enqueue(
      stream
        ? answeringEvents([
            chunk(0, { role: 'assistant', content: '' }),
            chunk(1, { role: 'assistant', content: '' }),
            chunk(0, { content: 'Use ' }, { logprobs: { content: tokens.slice(0, 1) } }),
            chunk(1, { content: 'Use tabs.' }),
            chunk(0, { content: 'spaces.' }, { logprobs: { content: tokens.slice(1) } }),
            chunk(0, {}, { finish_reason: 'stop' }),
            chunk(1, {}, { finish_reason: 'stop' }),
          ])
        : answeringBody({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: whole }),
    )
    const ask = { model: 'brief', messages, n: 2, logprobs: true, top_logprobs: 1 }
    const { choices } = stream
      ? await client().chat.completions.stream(ask).finalChatCompletion()
      : await client().chat.completions.create(ask)
    expect(choices.map(({ message }) => message.content)).toEqual(['Use spaces.', 'Use tabs.'])
    expect(choices[0]?.logprobs?.content).toEqual(tokens)
    expect(choices[1]?.logprobs?.content ?? []).toEqual([])
    expect(sent()).toMatchObject({ n: 2, logprobs: true, top_logprobs: 1 })
  })

  it('asks again for the bad one of two choices only', async () => {
    gateway.upstream.enqueue(answering('Use spaces.', { more: ['That depends on so many things.'] }), answering('Use tabs.'))
    const { choices } = await client().chat.completions.create({ model: 'brief', messages, n: 2 })
    expect(choices.map(({ message }) => message.content)).toEqual(['Use spaces.', 'Use tabs.'])
    expect(sent()).not.toHaveProperty('n')
  })

  it.each([true, false])('hands out tool calls; streamed: %s', async (stream) => {
    gateway.upstream.enqueue(answering('', { toolCalls: [rome, { ...rome, id: 'call_2', arguments: '{"city":"Oslo"}' }] }))
    const ask = { model: 'called', messages, tools, tool_choice: 'auto' as const, parallel_tool_calls: true }
    const { choices } = stream
      ? await client().chat.completions.stream(ask).finalChatCompletion()
      : await client().chat.completions.create(ask)
    expect(choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
      { id: 'call_2', function: { arguments: '{"city":"Oslo"}' } },
    ])
    expect(sent()).toMatchObject({ tools, tool_choice: 'auto', parallel_tool_calls: true })
  })

  it('passes on untouched what it does not know, and what it does', async () => {
    const content = [
      { type: 'text' as const, text: 'What is this?\r\n\u2028' },
      { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' as const } },
      { type: 'input_audio' as const, input_audio: { data: 'UklGRg==', format: 'wav' as const } },
    ]
    const given = {
      model: 'plain',
      messages: [
        { role: 'system' as const, content: 'Be kind.', name: 'boss' },
        { role: 'user' as const, content, provider_hint: { keep: [1, null, { deep: true }] } },
      ],
      response_format: { type: 'json_schema' as const, json_schema: { name: 'x', strict: true, schema: { type: 'object' } } },
      temperature: 0,
      stop: ['END'],
      seed: 7,
      logit_bias: { '50256': -100 },
      user: 'somebody',
      brand_new_field: { nested: [0.1, 'ä', null, false] },
      top_k: null,
    }
    await client().chat.completions.create({ ...given, stickler: { session: 's1' } } as never)
    expect(sent()).toEqual(given)
  })
})

describe('refusals', () => {
  it.each([true, false])('stay refusals; streamed: %s', async (stream) => {
    gateway.upstream.enqueue(answering('', { refusal: 'I would rather not.' }))
    const ask = { model: 'plain', messages }
    const { choices } = stream
      ? await client().chat.completions.stream(ask).finalChatCompletion()
      : await client().chat.completions.create(ask)
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { refusal: 'I would rather not.' } })
    expect(choices[0]?.message.content ?? '').toBe('')
  })
})

describe('responses', () => {
  const ask = { model: 'brief', input: 'Tabs or spaces?', instructions: 'Be brief.' }

  it.each([true, false])('gives text, reasoning and usage; streamed: %s', async (stream) => {
    gateway.upstream.enqueue(answering('Use spaces.', { usage: { prompt: 11, completion: 3 }, reasoning: 'Hm.' }))
    const got = stream ? await client().responses.stream(ask).finalResponse() : await client().responses.create(ask)
    expect(got).toMatchObject({ status: 'completed', output_text: 'Use spaces.', usage: { input_tokens: 11, output_tokens: 3 } })
    expect(got.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    expect(got).toMatchObject({ stickler: { status: 'valid' } })
    expect(sent()?.messages).toEqual([{ role: 'system', content: 'Be brief.' }, ...messages])
  })

  it.each([true, false])('hands out tool calls; streamed: %s', async (stream) => {
    gateway.upstream.enqueue(answering('', { toolCalls: [rome] }))
    const flat = [{ type: 'function' as const, name: 'get_weather', parameters, strict: false }]
    const given = { ...ask, model: 'called', tools: flat }
    const { output } = stream ? await client().responses.stream(given).finalResponse() : await client().responses.create(given)
    expect(output).toMatchObject([{ type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: rome.arguments }])
  })

  it('numbers the events of a stream from its beginning, and names its items after it', async () => {
    gateway.upstream.enqueue(answering('Use spaces.', { reasoning: 'Hm.' }))
    const events = await collect(await client().responses.create({ ...ask, model: 'plain', stream: true }))
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress'])
    const items = events.flatMap((event) => (event.type === 'response.output_item.added' ? [event.item.id] : []))
    expect(items).toEqual(['rs_1_0', 'msg_1_1'])
  })

  it('raises a broken contract once, before a stream and without one', async () => {
    for (const stream of [true, false]) {
      const before = gateway.upstream.requests.length
      gateway.upstream.enqueue(answering('one two three four five six'), answering('one two three four five six seven'))
      await expect(client().responses.create({ ...ask, stream })).rejects.toMatchObject({ status: 422, code: 'MAX_WORDS' })
      expect(gateway.upstream.requests.length - before).toBe(2)
    }
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
  readonly code: string | null
  readonly calls?: number
  readonly retryAfter?: string
}

const refusals: Readonly<Record<string, Refusal>> = {
  'a wrong parameter': { fields: { n: 99 }, raised: OpenAI.BadRequestError, status: 400, code: 'invalid_value' },
  'a wrong key': { apiKey: 'sk-of-nobody-1234', raised: OpenAI.AuthenticationError, status: 401, code: 'invalid_api_key' },
  'an unknown model': { model: 'breif', raised: OpenAI.NotFoundError, status: 404, code: 'model_not_found' },
  'a body that is too large': { content: 'x'.repeat(70_000), raised: OpenAI.APIError, status: 413, code: 'body_too_large' },
  'an upstream that limits': {
    upstream: failing(429, { 'retry-after': '7' }),
    raised: OpenAI.RateLimitError,
    status: 429,
    // As the provider says.
    code: null,
    calls: 1,
    retryAfter: '7',
  },
  'an upstream that cannot be reached': { model: 'lost', raised: OpenAI.InternalServerError, status: 502, code: 'upstream_unreachable' },
  'an upstream that is overloaded': {
    upstream: failing(503, { 'retry-after': '3' }),
    raised: OpenAI.InternalServerError,
    status: 503,
    code: null,
    calls: 1,
    retryAfter: '3',
  },
  'an upstream that is silent': {
    model: 'hasty',
    upstream: silence,
    raised: OpenAI.InternalServerError,
    status: 504,
    code: 'upstream_timeout',
    calls: 1,
  },
  "an upstream that refuses the gateway's key": {
    upstream: failing(401, {}, 'Incorrect API key provided: upstream-secret-key'),
    raised: OpenAI.InternalServerError,
    status: 502,
    code: 'upstream_auth',
    calls: 1,
  },
}

describe.each([true, false])('errors; streamed: %s', (stream) => {
  test.each(Object.entries(refusals))('%s', async (_, refusal) => {
    const { model = 'plain', upstream, content = 'Hello?', fields = {}, apiKey = key, calls = 0 } = refusal
    if (upstream !== undefined) gateway.upstream.enqueue(upstream)
    const before = gateway.upstream.requests.length
    const asked = client({ maxRetries: 0, apiKey }).chat.completions.create({
      model,
      stream,
      messages: [{ role: 'user', content }],
      ...fields,
    })
    const error: unknown = await asked.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(refusal.raised)
    const { status, code, error: body, headers, requestID } = error as InstanceType<typeof OpenAI.APIError>
    expect([status, code]).toEqual([refusal.status, refusal.code])
    expect(Object.keys(body as object)).toEqual(['message', 'type', 'param', 'code'])
    expect(headers?.get('retry-after')).toBe(refusal.retryAfter ?? null)
    expect(requestID).toBeTruthy()
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(gateway.upstream.requests.length - before).toBe(calls)
  })

  it('is told of a broken contract once, and the client asks no second time', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(answering('one two three four five six'), answering('one two three four five six seven'))
    const asked = client().chat.completions.create({ model: 'brief', messages, stream })
    const error: unknown = await asked.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OpenAI.UnprocessableEntityError)
    expect(error).toMatchObject({ type: 'contract_violation', code: 'MAX_WORDS', param: null, message: expect.stringContaining('"brief"') })
    expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get('x-should-retry')).toBe('false')
    expect(gateway.upstream.requests.length - before).toBe(2)
  })
})

describe('inside of a stream', () => {
  it('raises a connection that breaks', async () => {
    gateway.upstream.enqueue(breakingOff('Use spaces, not tabs.', 3))
    const said: string[] = []
    const read = async () => {
      for await (const { choices } of await client().chat.completions.create({ model: 'plain', messages, stream: true }))
        said.push(choices[0]?.delta.content ?? '')
    }
    await expect(read()).rejects.toMatchObject({ code: 'upstream_unreachable' })
    expect(said.join('')).toBe('Use spaces, not ')
  })

  it('raises a contract that cannot be kept any more, after what was safe', async () => {
    gateway.upstream.enqueue(answering('Spaces are safe. But[^9] no.'), answering(' Tabs[^8] no.'))
    const stickler = { sources: 1 }
    const stream = await client().chat.completions.create({ model: 'grounded', messages, stream: true, stickler } as never)
    let said = ''
    const read = async () => {
      for await (const { choices } of stream as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>)
        said += choices[0]?.delta.content ?? ''
    }
    await expect(read()).rejects.toSatisfy((error) => error instanceof OpenAI.APIError && error.code === 'CITATION_OUT_OF_RANGE')
    expect(said).toContain('Spaces are safe.')
    expect(said).not.toMatch(/\[\^/)
  })
})

describe('aborts', () => {
  const last = async (before: number) => {
    await vi.waitFor(() => expect(gateway.upstream.requests.length).toBe(before + 1))
    const request = gateway.upstream.requests.at(-1)
    if (request === undefined) throw new Error('nothing was asked')
    return request
  }

  test.each(['plain', 'brief'])('of a whole answer end the call of the upstream: %s', async (model) => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(silence)
    const controller = new AbortController()
    const asked = client().chat.completions.create({ model, messages }, { signal: controller.signal })
    const failed = expect(asked).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    const request = await last(before)
    controller.abort()
    await failed
    await request.closed
    expect(request.aborted).toBe(true)
  })

  test('of a stream end the call of the upstream', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(fallingSilent('Use spaces, not tabs.', 3))
    const stream = await client().chat.completions.create({ model: 'plain', messages, stream: true })
    for await (const { choices } of stream) if (choices[0]?.delta.content) stream.controller.abort()
    const request = await last(before)
    await request.closed
    expect(request.aborted).toBe(true)
  })

  test('of a held stream end the call of the upstream', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(fallingSilent('Use spaces, not tabs.', 3))
    const controller = new AbortController()
    const asked = client().responses.create({ model: 'brief', input: 'Hello?', stream: true }, { signal: controller.signal })
    const failed = expect(asked).rejects.toBeInstanceOf(OpenAI.APIUserAbortError)
    const request = await last(before)
    controller.abort()
    await failed
    await request.closed
    expect(request.aborted).toBe(true)
  })
})
