import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../contract/configuration-error.ts'
import type { CallOptions, ModelEvent } from '../../engine/runner.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { type OpenAiSettings, openai } from './openai.ts'

const encoder = new TextEncoder()
const call = (stream: boolean): CallOptions => ({ stream, signal: new AbortController().signal })

/** An upstream that answers with these pieces and remembers what it was sent. */
function upstream(pieces: readonly (string | Uint8Array)[], contentType = 'text/event-stream', status = 200) {
  const requests: { url: string; headers: Headers; redirect: string | undefined; body: Record<string, unknown> }[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    requests.push({ url: String(url), headers: new Headers(init?.headers), redirect: init?.redirect, body: JSON.parse(String(init?.body)) })
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
        controller.close()
      },
    })
    return new Response(body, { status, headers: { 'content-type': contentType } })
  }
  return { fetch, requests }
}

async function collect(events: AsyncIterable<ModelEvent>) {
  const pieces: string[] = []
  let end: ModelEvent | undefined
  for await (const event of events) {
    if (event.type === 'text') pieces.push(event.text)
    else end = event
  }
  return { text: pieces.join(''), pieces, end }
}

function ask(pieces: readonly (string | Uint8Array)[], stream: boolean, contentType?: string, settings: Partial<OpenAiSettings> = {}) {
  const { fetch } = upstream(pieces, contentType)
  return collect(openai({ baseUrl: 'http://x/v1', model: 'm', fetch, ...settings }).run(undefined, 'hi', call(stream)))
}

const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const chunk = (delta: unknown, finish: string | null = null, more: object = {}): string =>
  frame({ choices: [{ index: 0, delta, finish_reason: finish }], ...more })
const reply = (message: unknown, finish: string | null = 'stop', more: object = {}): string =>
  JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish }], ...more })

describe('the request', () => {
  it('asks as it should', async () => {
    const { fetch, requests } = upstream([chunk({ content: 'ok' }, 'stop')])
    const runner = openai({
      baseUrl: 'http://x/v1/?api-version=2',
      model: 'm',
      apiKey: 'sk-secret',
      headers: { 'X-Extra': '1', accept: '*/*' },
      body: { temperature: 0, model: 'other', messages: [], stream: false },
      fetch,
    })
    await collect(runner.run(undefined, 'hi', call(true)))
    const [{ url, headers, redirect, body } = { url: '', headers: new Headers(), redirect: '', body: {} }] = requests
    expect(url).toBe('http://x/v1/chat/completions?api-version=2')
    expect(Object.fromEntries(headers)).toEqual({
      accept: '*/*',
      authorization: 'Bearer sk-secret',
      'content-type': 'application/json',
      'x-extra': '1',
    })
    expect(redirect).toBe('manual')
    expect(body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
    })
  })
  it('leaves out what is not asked for', async () => {
    const { fetch, requests } = upstream([reply({ content: 'ok' })], 'application/json')
    const runner = openai({ baseUrl: 'http://x', model: 'm', fetch, body: { stream_options: undefined } })
    await collect(runner.run(undefined, [{ role: 'user', content: 'hi' }], call(false)))
    expect(requests[0]?.headers.has('authorization')).toBe(false)
    expect(requests[0]?.body).toEqual({ model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: false })
  })
  it('continues without a session', async () => {
    const { fetch, requests } = upstream([reply({ content: 'ok' })], 'application/json')
    const runner = openai({ baseUrl: 'http://x', model: 'm', fetch, echoLimit: 40 })
    const original = [{ role: 'system', content: ' rules\r\n' } as const, { role: 'user', content: 'hi' } as const]
    await collect(runner.continue('any', 'fix it', { ...call(false), original, rejected: 'x'.repeat(99) }))
    expect(requests[0]?.body.messages).toEqual([
      ...original,
      { role: 'assistant', content: expect.stringMatching(/^x+\n\[… \d+ characters left out …\]\nx+$/) },
      { role: 'user', content: 'fix it' },
    ])
  })
  it.each<[string, Partial<OpenAiSettings>]>([
    ['no address', { baseUrl: 'nowhere' }],
    ['no web address', { baseUrl: 'file:///etc/passwd' }],
    ['a password in the address', { baseUrl: 'http://me:hidden-secret@x' }],
    ['a key with a line break', { apiKey: 'hidden-secret\r\nx: y' }],
    ['a header that is none', { headers: { 'a b': 'hidden-secret' } }],
    ['a header value that is none', { headers: { a: 'hidden-secret\nx' } }],
    ['a limit of zero', { maxResponseBytes: 0 }],
    ['a timeout that is no number', { timeouts: { idleMs: Number.NaN } }],
    ['a negative echo', { echoLimit: -1 }],
  ])('refuses %s, without repeating secrets', (_, settings) => {
    const make = () => openai({ baseUrl: 'http://x', model: 'm', ...settings })
    expect(make).toThrow(ConfigurationError)
    expect(make).not.toThrow(/hidden-secret/)
  })
})

describe('an answer in one piece', () => {
  it.each<[string, string, { text?: string; end?: object }]>([
    ['text', reply({ content: 'hello' }), { text: 'hello', end: { finishReason: 'stop' } }],
    [
      'parts',
      reply({ content: [{ type: 'text', text: 'a' }, 'b', { type: 'image_url' }, null, 7, { type: 'text', text: 'c' }] }),
      { text: 'abc' },
    ],
    ['null', reply({ content: null }), { text: '' }],
    ['no message', reply(null, 'content_filter'), { text: '', end: { finishReason: 'content_filter' } }],
    ['refusal', reply({ content: null, refusal: 'I cannot.' }), { text: 'I cannot.', end: { finishReason: 'refusal' } }],
    [
      'refusal cut off',
      reply({ content: null, refusal: 'I can' }, 'length'),
      { text: 'I can', end: { finishReason: 'length', unread: 'text or calls outside of what is read' } },
    ],
    ['refusal as a part', reply({ content: [{ type: 'refusal', refusal: 'No.' }] }), { text: 'No.', end: { finishReason: 'refusal' } }],
    ['cut off', reply({ content: 'hel' }, 'length'), { text: 'hel', end: { finishReason: 'length' } }],
    ['no reason', JSON.stringify({ choices: [{ message: { content: 'a' } }] }), { text: 'a', end: { finishMissing: 'unexpected' } }],
    [
      'tool calls',
      reply({ content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }] }, 'tool_calls'),
      { text: '', end: { finishReason: 'tool_calls', toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] } },
    ],
    [
      'usage and unknown fields',
      reply({ content: 'a', extra: {} }, 'stop', { usage: { prompt_tokens: 10, completion_tokens: 2, details: null }, x: 1 }),
      { text: 'a', end: { finishReason: 'stop', usage: { promptTokens: 10, completionTokens: 2 } } },
    ],
    [
      'odd usage',
      reply({ content: 'a' }, 'stop', { usage: { prompt_tokens: 'many', completion_tokens: -1 } }),
      { end: { finishReason: 'stop' } },
    ],
    ['error: null', reply({ content: 'a' }, 'stop', { error: null }), { text: 'a' }],
    ['byte order mark', `\uFEFF${reply({ content: 'ä' })}`, { text: 'ä' }],
  ])('%s', async (_, body, { text, end }) => {
    for (const stream of [false, true]) {
      const got = await ask([body], stream, 'application/json; charset=utf-8')
      if (text !== undefined) expect(got.text).toBe(text)
      if (end !== undefined) expect(got.end).toEqual({ type: 'end', ...end })
    }
  })
  it('is put together from bytes cut anywhere', async () => {
    const bytes = encoder.encode(reply({ content: 'ä€🙂' }))
    for (let at = 0; at < bytes.length; at++) {
      expect((await ask([bytes.subarray(0, at), bytes.subarray(at)], false, 'application/json')).text).toBe('ä€🙂')
    }
  })
  it('has its price', async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 500_000 }
    const { end } = await ask([reply({ content: 'a' }, 'stop', { usage })], false, 'application/json', {
      price: { promptPerMillion: 2, completionPerMillion: 10 },
    })
    expect(end).toMatchObject({ usage: { cost: 7 } })
  })
  it.each<[string, string, string, object]>([
    ['HTML', '<html>busy</html>', 'text/html', { kind: 'protocol', message: expect.stringContaining('<html>busy') }],
    ['empty', '', 'application/json', { kind: 'protocol' }],
    ['truncated', reply({ content: 'hello' }).slice(0, -3), 'application/json', { kind: 'protocol' }],
    ['no object', '[1]', 'application/json', { kind: 'protocol' }],
    ['null', 'null', 'application/json', { kind: 'protocol' }],
    ['no choices', '{"object":"x"}', 'application/json', { kind: 'protocol' }],
    ['choices no list', '{"choices":{}}', 'application/json', { kind: 'protocol' }],
    ['choices empty', '{"choices":[]}', 'application/json', { kind: 'protocol', message: 'the response has no choice' }],
    ['choice null', '{"choices":[null]}', 'application/json', { kind: 'protocol' }],
    ['error object', '{"error":{"message":"overloaded","code":503}}', 'application/json', { kind: 'http', details: { status: 503 } }],
    ['error text', '{"error":"broken"}', 'application/json', { kind: 'protocol', message: 'the provider sent an error: broken' }],
    [
      'error in the choice',
      '{"choices":[{"error":{"message":"x","code":"429"}}]}',
      'application/json',
      { kind: 'http', details: { status: 429 } },
    ],
    ['ended by an error', reply({ content: 'a' }, 'error'), 'application/json', { kind: 'protocol' }],
  ])('%s is no answer', async (_, body, type, failure) => {
    await expect(ask([body], false, type)).rejects.toMatchObject(failure)
    await expect(ask([body], true, type)).rejects.toMatchObject(failure)
  })
  it('shows no more than an excerpt of nonsense', async () => {
    const failure = await ask(['<'.repeat(1_000_000)], false, 'text/html').catch((thrown) => thrown)
    expect(failure.message.length).toBeLessThan(400)
    expect(failure.details.body.length).toBe(4096)
  })
})

const recorded = [
  ': OPENROUTER PROCESSING\r\n\r\n',
  chunk({ role: 'assistant', content: '' }),
  'data:{"choices":[{"delta":{"content":"Grüße "}}]}\r\n\r\n',
  'event: message\ndata: {"choices":\ndata: [{"index":0,"delta":{"content":"🙂 "},"finish_reason":null}]}\n\n',
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }),
  chunk({ content: 'world', tool_calls: [{ index: 0, function: { arguments: '{"é":"🙂"}' } }] }),
  frame({ choices: [{ index: 1, delta: { content: 'other choice' } }] }),
  chunk({}, 'stop').replaceAll('\n', '\r'),
  frame({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } }),
  'data: [DONE]\n\n',
].join('')

const expected = {
  text: 'Grüße 🙂 world',
  end: {
    type: 'end',
    finishReason: 'stop',
    usage: { promptTokens: 3, completionTokens: 5 },
    toolCalls: [{ id: 'a', name: 'f', arguments: '{"é":"🙂"}' }],
  },
}

describe('a stream', () => {
  it('comes in pieces when asked for, and in one when not', async () => {
    expect(await ask([recorded], true)).toEqual({ ...expected, pieces: ['Grüße ', '🙂 ', 'world'] })
    expect(await ask([recorded], false)).toEqual({ ...expected, pieces: ['Grüße 🙂 world'] })
  })
  it('is the same wherever its bytes are cut', async () => {
    const bytes = encoder.encode(`\uFEFF${recorded}`)
    for (let at = 0; at <= bytes.length; at++) {
      expect(await ask([bytes.subarray(0, at), bytes.subarray(at)], true)).toMatchObject(expected)
    }
    expect(
      await ask(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        true,
      ),
    ).toMatchObject(expected)
  })
  it('never counts as complete before the model is done, wherever it breaks off', async () => {
    const bytes = encoder.encode(recorded)
    const finish = encoder.encode(recorded.slice(0, recorded.indexOf('"stop"}]}') + '"stop"}]}'.length)).length
    for (let at = 0; at < bytes.length; at++) {
      const got = await ask([bytes.subarray(0, at)], true).catch((thrown) => thrown)
      if (at < finish) expect(got).toMatchObject({ kind: 'connection' })
      else expect(got).toMatchObject({ text: expected.text })
    }
  })
  it.each<[string, string, object]>([
    ['[DONE] without a reason', `${chunk({ content: 'a' })}data: [DONE]`, { text: 'a', end: { type: 'end' } }],
    ['a reason without [DONE]', chunk({ content: 'a' }, 'stop'), { text: 'a' }],
    ['text after [DONE]', `${chunk({ content: 'a' }, 'stop')}data: [DONE]\n\n${chunk({ content: 'b' })}`, { text: 'a' }],
    [
      'an empty reason is none',
      `${chunk({ content: 'a' }, '')}${chunk({ content: 'b' }, 'length')}`,
      { text: 'ab', end: { type: 'end', finishReason: 'length' } },
    ],
    ['empty data', `data:\n\n${chunk({ content: 'a' }, 'stop')}`, { text: 'a' }],
    ['parts', chunk({ content: [{ type: 'text', text: 'a' }] }, 'stop'), { text: 'a' }],
    ['a whole message in a chunk', frame({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }] }), { text: 'a' }],
    [
      'refusal',
      chunk({ refusal: 'I ' }) + chunk({ refusal: 'cannot.' }, 'stop'),
      { text: 'I cannot.', end: { type: 'end', finishReason: 'refusal' } },
    ],
    ['half a character', chunk({ content: '\ud83d' }) + chunk({}) + chunk({ content: '\ude42!' }, 'stop'), { pieces: ['🙂!'] }],
    ['half a character for ever', chunk({ content: 'a\ud83d' }, 'stop'), { text: 'a\ud83d' }],
    [
      'odd chunks',
      `${frame({})}${frame({ choices: null })}${frame({ choices: [null, 7] })}${frame({ choices: [{ delta: null }] })}${chunk({ content: 'a' }, 'stop')}`,
      { text: 'a' },
    ],
    ['nothing said', chunk({}, 'stop'), { text: '', end: { type: 'end', finishReason: 'stop' } }],
  ])('%s', async (_, source, got) => {
    expect(await ask([source], true)).toMatchObject(got)
  })
  it.each<[string, string, object]>([
    [
      'an error frame',
      chunk({ content: 'a' }) + frame({ error: { message: 'out of memory' } }),
      { kind: 'protocol', message: expect.stringContaining('out of memory') },
    ],
    ['an error frame with a status', frame({ error: { message: 'busy', code: 429 } }), { kind: 'http', details: { status: 429 } }],
    ['an error event', 'event: error\ndata: {"message":"busy"}\n\n', { kind: 'protocol', message: expect.stringContaining('busy') }],
    ['an error after the end', chunk({ content: 'a' }, 'stop') + frame({ error: 'late' }), { kind: 'protocol' }],
    ['ended by an error', chunk({ content: 'a' }, 'error'), { kind: 'protocol' }],
    ['no JSON', `data: hello\n\n${chunk({}, 'stop')}`, { kind: 'protocol', message: expect.stringContaining('hello') }],
    ['no object', 'data: 1\n\n', { kind: 'protocol' }],
    ['HTML that is called a stream', '<html>\n\nbusy</html>', { kind: 'protocol', message: expect.stringMatching(/<html>\s+busy/) }],
    ['cut off', chunk({ content: 'a' }), { kind: 'connection' }],
    ['cut off in the first field', '\uFEFFda', { kind: 'connection' }],
    ['comments only', ': still there\n\n', { kind: 'connection' }],
    ['empty', '', { kind: 'connection' }],
  ])('%s is no answer', async (_, source, failure) => {
    await expect(ask([source], true)).rejects.toMatchObject(failure)
  })
  it('leaves no timer behind, also when nobody listens to the end', async () => {
    const clock = manualClock()
    const { fetch } = upstream([recorded])
    const runner = openai({ baseUrl: 'http://x', model: 'm', fetch, clock })
    for await (const event of runner.run(undefined, 'hi', call(true))) {
      expect(event.type).toBe('text')
      expect(clock.pending).toBeGreaterThan(0)
      break
    }
    expect(clock.pending).toBe(0)
    await collect(runner.run(undefined, 'hi', call(true)))
    expect(clock.pending).toBe(0)
  })
})
