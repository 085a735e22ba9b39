import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, dataOf, errorOf, verdictOf, type WireReply } from '../../testing/wire.ts'

const yaml = `
upstreams:
  - { name: chat, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  kept: { checks: [{ max_words: { limit: 100 } }], retries: 1 }
  marked: { checks: [step_marker], retries: 1 }
  held: { checks: [{ max_words: { limit: 5 } }], stream: hold, retries: 1 }
  called: { checks: [tool_calls], retries: 0 }
routes:
  - { model: plain, upstream: chat }
  - { model: kept, upstream: chat, contract: kept }
  - { model: marked, upstream: chat, contract: marked }
  - { model: held, upstream: chat, contract: held }
  - { model: called, upstream: chat, contract: called }
`

type Json = Record<string, unknown>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const head = { id: 'chatcmpl-9', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'provider-model' }
const chunk = (delta: Json, beside: Json = {}, top: Json = {}): Json => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: null, ...beside }],
  ...top,
})
const opening = chunk({ role: 'assistant', content: '' })
const stop = chunk({}, { finish_reason: 'stop' })
const says = (...texts: readonly string[]): Json[] => texts.map((content) => chunk({ content }))
const usage = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 334, completion_tokens_details: { reasoning_tokens: 320 } }

/** What a client decodes, without what the gateway may change. */
function decoded(events: readonly Json[]): Json[] {
  return events.map(({ stickler: _stickler, model: _model, ...chunk }) => chunk)
}

async function streamed(model: string, events: readonly (Json | string)[], fields: Json = {}): Promise<WireReply> {
  gateway.upstream.enqueue(answeringEvents(events))
  return ask(gateway, 'chat', { model, stream: true, fields })
}

const logprobs = (...tokens: readonly string[]): Json => ({
  logprobs: { content: tokens.map((token) => ({ token, logprob: -0.5, bytes: null })) },
})

/** Streams that arrive as they were sent. */
const streams: readonly [string, readonly Json[], Json?][] = [
  ['texts', [opening, ...says('The ', 'old ', 'town.'), stop]],
  [
    'reasoning in pieces',
    [
      opening,
      ...['A', 'B', 'C'].map((text) => chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text }] })),
      ...says('Yes.'),
      stop,
    ],
  ],
  [
    'tokens beside their own text',
    [opening, chunk({ content: 'The old' }, logprobs('The', ' old')), chunk({ content: ' town' }, logprobs(' town')), stop],
  ],
  [
    'fields that come late',
    [
      opening,
      ...says('Yes.'),
      chunk({}, { finish_reason: 'stop' }, { x_groq: { id: 'q' }, citations: ['https://a.example/'], service_tier: 'default' }),
      { ...head, choices: [], moderation: { flagged: false } },
    ],
  ],
  ['usage beside choices', [opening, ...says('Yes.'), chunk({}, { finish_reason: 'stop' }, { usage })]],
  [
    'usage that was asked for',
    [opening, ...says('Yes.'), stop, { ...head, choices: [], usage }],
    { stream_options: { include_usage: true } },
  ],
  [
    'content in parts',
    [
      chunk({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
      chunk({ content: [{ type: 'text', text: 'Yes.' }] }),
      stop,
    ],
  ],
  [
    'calls beside an empty call',
    [
      chunk({
        role: 'assistant',
        content: null,
        tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a"' } }],
        function_call: { name: '', arguments: '' },
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: ':12345678901234567890}' } }] }),
      chunk({}, { finish_reason: 'tool_calls' }),
    ],
    { tools: [{ function: { name: 'f', parameters: { type: 'object' } } }] },
  ],
  [
    'calls of custom tools',
    [
      chunk({ role: 'assistant', tool_calls: [{ index: 0, id: 'c1', type: 'custom', custom: { name: 'sql', input: 'SELECT' } }] }),
      chunk({ tool_calls: [{ index: 0, custom: { input: ' 1' } }] }),
      chunk({}, { finish_reason: 'tool_calls' }),
    ],
    { tools: [{ type: 'custom', custom: { name: 'sql' } }] },
  ],
  ['a refusal', [opening, chunk({ refusal: 'I would ' }), chunk({ refusal: 'rather not.' }), stop]],
  [
    'events before and between',
    [
      { ...head, choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
      opening,
      ...says('a'),
      { ...head, choices: [], ping: 1 },
      ...says('b'),
      stop,
    ],
  ],
  [
    'unknown fields everywhere',
    [{ ...opening, x: [1] }, chunk({ content: 'Yes.', y: { z: null } }, { w: '' }, { v: 1.0 }), { ...stop, u: 'ü' }],
  ],
]

describe.each(['plain', 'kept', 'held', 'called'])('a stream with the contract %s', (model) => {
  test.each<[string, readonly Json[], Json?]>(streams)('arrives as it was sent: %s', async (_name, events, fields = {}) => {
    const reply = await streamed(model, events, fields)
    expect([reply.status, reply.body]).toEqual([200, expect.any(String)])
    expect(decoded(dataOf(reply))).toEqual(decoded(events))
    expect(reply.body.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(dataOf(reply).every((one) => one.model === model)).toBe(true)
    expect(verdictOf(reply)).toMatchObject({ attempts: 1 })
  })
})

describe('a stream', () => {
  test('without a contract leaves as bytes: numbers, escapes and white space stay', async () => {
    const raw = '{"n":12345678901234567890, "choices":[{"index":0,"delta":{"content":"\\u0041"},"finish_reason":null}],"n":1.0}'
    const reply = await streamed('plain', [raw, stop])
    expect(reply.events[0]?.data).toBe(raw)
  })

  test('that only tells usage is not shown to a client that did not ask', async () => {
    const reply = await streamed('kept', [opening, ...says('Yes.'), stop, { ...head, choices: [], usage }])
    expect(dataOf(reply)).toHaveLength(3)
    expect(reply.body).not.toContain('total_tokens')
  })

  test('loses what some clients execute, and nothing else', async () => {
    const reply = await streamed('plain', [{ ...chunk({ content: 'a' }), event: { type: 'execute' }, sources: [1] }, stop])
    expect(dataOf(reply)[0]).toMatchObject({ sources: [1] })
    expect(reply.body).not.toContain('execute')
  })

  test('is divided only where its text is', async () => {
    const reply = await streamed('marked', [opening, ...says('Hello <', '!-- STEP: done -->'), stop])
    const texts = dataOf(reply).map(({ choices }) => (choices as { delta: Json }[])[0]?.delta.content)
    expect(texts).toEqual(['', 'Hello ', '<', '!-- STEP: done -->', undefined])
  })

  test('divides tokens with their text', async () => {
    const reply = await streamed('marked', [
      chunk({ content: 'Hello <' }, logprobs('Hello', ' ', '<')),
      ...says('!-- STEP: done -->'),
      stop,
    ])
    const tokens = dataOf(reply).map(({ choices }) =>
      ((choices as Json[])[0]?.logprobs as { content: Json[] } | null)?.content.map(({ token }) => token),
    )
    expect(tokens.slice(0, 2)).toEqual([['Hello', ' '], ['<']])
  })

  test('is repaired in the span that the repair names, and nowhere else', async () => {
    const details = chunk({ reasoning_content: 'hm' })
    const events = [opening, details, ...says('A <!-- STEP: ', 'finalise', ' --> B'), chunk({ z: 1 }), stop]
    const reply = await streamed('marked', events)
    const expected = events.map((event) => (JSON.stringify(event).includes('finalise') ? says('finalize')[0] : event))
    const shown = decoded(dataOf(reply))
    // The text before the mark was shown before the verdict.
    expect(shown.slice(0, 2)).toEqual(decoded(expected.slice(0, 2) as Json[]))
    expect(shown.slice(-3)).toEqual(decoded(expected.slice(-3) as Json[]))
    expect(shown.map(({ choices }) => (choices as { delta: Json }[])[0]?.delta.content ?? '').join('')).toBe('A <!-- STEP: finalize --> B')
    expect(verdictOf(reply)).toMatchObject({ status: 'repaired' })
  })

  test('shows the events of the attempt that is delivered, and what all attempts used', async () => {
    const rejected = [
      opening,
      chunk({ reasoning_content: 'CANARY' }),
      ...says('one two three four five six CANARY'),
      stop,
      { ...head, choices: [], usage },
    ]
    gateway.upstream.enqueue(answeringEvents(rejected))
    const good = [opening, ...says('Use ', 'spaces.'), stop, { ...head, choices: [], usage }]
    const reply = await streamed('held', good, { stream_options: { include_usage: true } })
    const summed = {
      ...usage,
      prompt_tokens: 20,
      completion_tokens: 8,
      total_tokens: 668,
      completion_tokens_details: { reasoning_tokens: 640 },
    }
    expect(decoded(dataOf(reply))).toEqual(decoded([...good.slice(0, -1), { ...head, choices: [], usage: summed }]))
    expect(reply.body).not.toContain('CANARY')
    expect(verdictOf(reply)).toMatchObject({ attempts: 2 })
  })

  test('of several choices keeps their order, and a choice that was asked for again its number', async () => {
    const of = (index: number, content: string, finish_reason: string | null = null): Json => ({
      ...head,
      choices: [{ index, delta: { content }, finish_reason }],
    })
    const first = [
      of(0, 'Use '),
      of(1, 'one two three '),
      of(0, 'spaces.'),
      of(1, 'four five six CANARY'),
      of(1, '', 'stop'),
      of(0, '', 'stop'),
    ]
    gateway.upstream.enqueue(answeringEvents(first))
    const reply = await streamed('held', [...says('Tabs.'), stop], { n: 2 })
    const texts = ['', '']
    for (const { choices } of dataOf(reply)) {
      for (const { index, delta } of choices as { index: number; delta: Json }[]) texts[index] += String(delta.content ?? '')
    }
    expect(texts).toEqual(['Use spaces.', 'Tabs.'])
    expect(reply.body).not.toContain('CANARY')
  })

  test('of several choices that end in different calls tells usage once, behind all of them', async () => {
    const of = (index: number, content: string): Json[] => [
      { ...head, choices: [{ index, delta: { content }, finish_reason: null }] },
      { ...head, choices: [{ index, delta: {}, finish_reason: 'stop' }] },
    ]
    const told = { ...head, choices: [], usage }
    gateway.upstream.enqueue(answeringEvents([...of(0, 'Use spaces.'), ...of(1, 'one two three four five six'), told]))
    const reply = await streamed('held', [...says('Tabs.'), stop, told], { n: 2, stream_options: { include_usage: true } })
    const events = dataOf(reply)
    expect(events.filter((event) => 'usage' in event)).toEqual([expect.objectContaining({ choices: [] })])
    expect(events.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 8, total_tokens: 668 } })
  })

  test('that is labelled as JSON is read', async () => {
    gateway.upstream.enqueue((exchange) => {
      exchange.response.setHeader('content-type', 'application/json')
      exchange.response.end(
        [opening, ...says('Yes.'), stop, '[DONE]']
          .map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`)
          .join(''),
      )
    })
    const reply = await ask(gateway, 'chat', { model: 'kept', stream: true })
    expect(decoded(dataOf(reply))).toEqual(decoded([opening, ...says('Yes.'), stop]))
  })

  test('with an error in it keeps the status of that', async () => {
    const reply = await streamed('kept', [{ error: { message: 'no such tool', status_code: 400 } }])
    expect([reply.status, errorOf(reply)]).toMatchObject([400, { message: expect.stringContaining('no such tool') }])
  })
})

const wholeOf = (message: Json, beside: Json = {}, top: Json = {}): Json => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...beside }],
  ...top,
})
const wholes: readonly [string, Json, Json?][] = [
  [
    'a text',
    wholeOf(
      { content: 'Yes.', refusal: null, annotations: [] },
      { logprobs: null },
      { usage, system_fingerprint: 'fp', service_tier: 'default' },
    ),
  ],
  [
    'content in parts',
    wholeOf({
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
        { type: 'text', text: 'Yes.' },
      ],
    }),
  ],
  ['a refusal', wholeOf({ content: null, refusal: 'I would rather not.' })],
  [
    'a call of a custom tool',
    wholeOf(
      { content: null, tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }] },
      { finish_reason: 'tool_calls' },
    ),
    { tools: [{ type: 'custom', custom: { name: 'sql' } }] },
  ],
]

describe.each(['plain', 'kept', 'called'])('a whole reply with the contract %s', (model) => {
  test.each<[string, Json, Json?]>(wholes)('arrives as it was sent: %s', async (_name, body, fields = {}) => {
    gateway.upstream.enqueue(answeringBody(body))
    const reply = await ask(gateway, 'chat', { model, fields })
    expect(reply.status).toBe(200)
    expect(decoded([reply.json])).toEqual(decoded([body]))
    expect(verdictOf(reply)).toMatchObject({ attempts: 1 })
  })
})

test('a whole reply is repaired where the repair says, to the last digit of everything else', async () => {
  const body = JSON.stringify(wholeOf({ content: 'A <!-- STEP: finalise --> B' }, {}, { seed: 'N' })).replace(
    '"N"',
    '12345678901234567890, "x" : 1.0',
  )
  gateway.upstream.enqueue(answeringBody(body))
  const reply = await ask(gateway, 'chat', { model: 'marked' })
  const { stickler } = reply.json
  const expected = body
    .replace('finalise', 'finalize')
    .replace('provider-model', 'marked')
    .replace(/\}$/, `,"stickler":${JSON.stringify(stickler)}}`)
  expect(reply.body).toBe(expected)
})

describe('a request', () => {
  test('loses what would choose host, key or headers, and names it', async () => {
    gateway.upstream.enqueue(answeringEvents([opening, ...says('Yes.'), stop]))
    const fields = { headers: { a: 1 }, fallbacks: ['x'], endpoint: 'e', organization: 'acme', zz: 1 }
    const reply = await ask(gateway, 'chat', { model: 'plain', stream: true, fields })
    expect(reply.headers.get('x-stickler-dropped')?.split(', ').sort()).toEqual(['endpoint', 'fallbacks', 'headers', 'organization'])
    expect(Object.keys(gateway.upstream.requests.at(-1)?.json ?? {})).toContain('zz')
  })

  test('reaches the provider as it was sent, without what is ours', async () => {
    const source =
      '{"big":12345678901234567890,"messages":[{"role":"user","content":"\\u0041", "x":1.0}],"model":"plain","unknown":{"a":[1e2]},"stickler":{"session":"s"}}'
    gateway.upstream.enqueue(answeringBody(wholeOf({ content: 'Yes.' })))
    const before = gateway.upstream.requests.length
    const response = await gateway.post('/v1/chat/completions', source)
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
    const sent = gateway.upstream.requests[before]?.body
    expect(sent).toBe(source.replace(',"stickler":{"session":"s"}', ''))
  })
})
