import { describe, expect, test } from 'vitest'
import { contract } from '../catalogue.ts'
import type { Outcome } from '../engine/outcome.ts'
import { enforcedFetch } from './enforced-fetch.ts'
import type { FetchedRequest } from './fetch-options.ts'

const brief = contract({ checks: [{ max_words: { limit: 3 } }], retries: 1 })
const held = contract({ checks: [{ max_words: { limit: 3 } }], retries: 1, stream: 'hold' })
const url = 'https://api.example.com/v1/chat/completions'

const messages = [{ role: 'user', content: 'Tabs or spaces?' }]
const body = JSON.stringify({ model: 'm', messages })
const streamBody = JSON.stringify({ model: 'm', messages, stream: true })
const post = { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer sk-secret-0123456789' } }

function completion(...texts: readonly string[]): Response {
  const choices = texts.map((content, index) => ({ index, message: { role: 'assistant', content }, finish_reason: 'stop' }))
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1', 'content-encoding': 'identity' }
  return new Response(JSON.stringify({ id: 'c1', model: 'm-2026-01-01', odd: 12345678901234567890n.toString(), choices, usage }), {
    headers,
  })
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
}

function streamed(frames: readonly string[], isBroken = false): Response {
  const pieces = frames.map((frame) => new TextEncoder().encode(frame))
  let at = 0
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[at++]
      if (piece !== undefined) controller.enqueue(piece)
      else if (isBroken) controller.error(new TypeError('terminated'))
      else controller.close()
    },
  })
  return new Response(source, { headers: { 'content-type': 'text/event-stream' } })
}

const said = (text: string): Response => streamed([chunk({ role: 'assistant', content: text }), chunk({}, 'stop'), 'data: [DONE]\n\n'])

interface Call {
  readonly input: string | URL | Request
  readonly init: RequestInit | undefined
}

/** A `fetch` that gives these responses, or throws these errors, and remembers its calls. */
function playing(...turns: readonly (Response | Error)[]): typeof globalThis.fetch & { readonly calls: Call[] } {
  const calls: Call[] = []
  const play: typeof globalThis.fetch = async (input, init) => {
    calls.push({ input: input as Call['input'], init })
    const turn = turns[calls.length - 1]
    if (turn === undefined || turn instanceof Error) throw turn ?? new Error('nothing is left to play')
    return turn
  }
  return Object.assign(play, { calls })
}

test('an error says what a check is missing', async () => {
  const rules = contract({ checks: ['citations'] })
  const reply = await enforcedFetch(rules, { fetch: playing(completion('A[^1].')) })(url, { ...post, body })
  expect(reply.status).toBe(424)
  expect(await reply.json()).toMatchObject({
    error: { message: expect.stringContaining('the number of sources is unknown: give `sources`') },
  })
})

describe('what is not a request to a model is passed on untouched', () => {
  const form = new FormData()
  form.set('file', 'x')
  test.each<[string, string | URL | Request, RequestInit | undefined]>([
    ['another path', 'https://api.example.com/v1/embeddings', { ...post, body }],
    ['another method', url, { method: 'GET' }],
    ['the messages of a thread', 'https://api.example.com/v1/threads/thread_1/messages', { ...post, body }],
    ['a count of tokens', 'https://api.example.com/v1/messages/count_tokens', { ...post, body }],
    ['the cancellation of a response', 'https://api.example.com/v1/responses/resp_1/cancel', { ...post, body }],
    ['a path that only ends alike', 'https://api.example.com/v1/old-messages', { ...post, body }],
    ["Google's own API", 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent', { ...post, body }],
    ["Google's own streams", 'https://example.com/v1beta/models/gemini-3:streamGenerateContent?alt=sse', { ...post, body }],
    ['a count of tokens on Vertex', 'https://example.com/v1/publishers/anthropic/models/count-tokens:rawPredict', { ...post, body }],
    ['a count of tokens on Bedrock', 'https://example.com/model/anthropic.claude/count-tokens', { ...post, body }],
    ['a form', url, { method: 'POST', body: form }],
    ['a form in a Request', new Request(url, { method: 'POST', body: form }), undefined],
    ['no body', url, { method: 'POST' }],
  ])('%s', async (_, input, init) => {
    const response = new Response('as it is')
    const below = playing(response)
    expect(await enforcedFetch(brief, { fetch: below })(input, init)).toBe(response)
    expect(below.calls).toEqual([{ input, init }])
    expect(await response.text()).toBe('as it is')
  })
})

test('a reply has the bytes and headers of its provider, with the usage of all attempts', async () => {
  const below = playing(completion('Use spaces and nothing else.'), completion('Use spaces.'))
  const response = await enforcedFetch(brief, { fetch: below, name: 'brief' })(url, { ...post, body })
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'application/json',
    'x-request-id': 'req_1',
    'x-stickler-status': 'valid',
    'x-stickler-attempts': '2',
    'x-stickler-contract': 'brief',
  })
  expect(await response.json()).toMatchObject({
    id: 'c1',
    model: 'm-2026-01-01',
    odd: '12345678901234567890',
    usage: { prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 },
    stickler: { status: 'valid', contract: 'brief', attempts: 2 },
  })
})

test('each of several choices is enforced, and asked again alone', async () => {
  const below = playing(completion('Use spaces.', 'Use tabs and nothing else.'), completion('Use tabs.'))
  const outcomes: Outcome[] = []
  const onOutcome = (outcome: Outcome) => void outcomes.push(outcome)
  const asked = JSON.stringify({ model: 'm', messages, n: 2 })
  const response = await enforcedFetch(brief, { fetch: below, onOutcome })(url, { ...post, body: asked })
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  expect(choices.map(({ message }) => message.content)).toEqual(['Use spaces.', 'Use tabs.'])
  expect(JSON.parse(String(below.calls[1]?.init?.body))).not.toHaveProperty('n')
  expect(outcomes.map(({ attempts }) => attempts)).toEqual([1, 2])
})

test('our own field is not sent, and is context for checks as what `context` gives', async () => {
  const cited = contract({ checks: [{ citations: {} }], retries: 0 })
  const seen: FetchedRequest[] = []
  for (const [stickler, context] of [
    [{ sources: [{ url: 'https://a.example', title: 'A' }] }, undefined],
    [
      undefined,
      (request: FetchedRequest) => {
        seen.push(request)
        return { sources: [{ url: 'https://a.example', title: 'A' }] }
      },
    ],
  ] as const) {
    const below = playing(completion('Use spaces [1].'))
    const asked = JSON.stringify({ model: 'm', messages, ...(stickler && { stickler }) })
    const response = await enforcedFetch(cited, { fetch: below, ...(context && { context }) })(url, { ...post, body: asked })
    expect(await response.json()).toMatchObject({ stickler: { status: 'valid' } })
    expect(JSON.parse(String(below.calls[0]?.init?.body))).not.toHaveProperty('stickler')
  }
  expect(seen).toEqual([{ api: 'chat', url, body: { model: 'm', messages } }])
})

describe('a provider that does not answer', () => {
  test.each([false, true])('gives its own error response, so that clients repeat the request as they would: stream %s', async (stream) => {
    const refused = new Response('{"error":{"message":"slow down"}}', { status: 429, headers: { 'retry-after': '2' } })
    const outcomes: Outcome[] = []
    const fetching = enforcedFetch(brief, { fetch: playing(refused), onOutcome: (outcome) => void outcomes.push(outcome) })
    const response = await fetching(url, { ...post, body: stream ? streamBody : body })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await response.text()).toBe('{"error":{"message":"slow down"}}')
    expect(outcomes).toMatchObject([{ status: 'failed', failure: { kind: 'http', status: 429, retryAfterMs: 2000 } }])
  })

  test('gives it also when it is asked again', async () => {
    const refused = new Response('{"error":{}}', { status: 503 })
    const response = await enforcedFetch(brief, { fetch: playing(completion('Use spaces and nothing else.'), refused) })(url, {
      ...post,
      body,
    })
    expect([response.status, await response.text()]).toEqual([503, '{"error":{}}'])
  })

  test.each([false, true])('throws what its fetch throws: stream %s', async (stream) => {
    const thrown = new TypeError('fetch failed')
    await expect(enforcedFetch(brief, { fetch: playing(thrown) })(url, { ...post, body: stream ? streamBody : body })).rejects.toBe(thrown)
  })
})

describe('an answer that is given up', () => {
  const long = () => said('Use spaces and nothing else at all.')

  test('is an error that clients do not repeat, without the key', async () => {
    const fetching = enforcedFetch(held, { fetch: playing(long(), long()) })
    const response = await fetching(url, { ...post, body: streamBody })
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([422, 'false'])
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ error: { type: 'contract_violation', code: 'MAX_WORDS', param: null } })
    expect(text).not.toContain('sk-secret')
  })

  test('breaks a stream that has begun, after an error event', async () => {
    const pieces = ['Use ', 'spaces ', 'and ', 'nothing ', 'else.'].map((content) => chunk({ content }))
    const long2 = () => streamed([...pieces, chunk({}, 'stop'), 'data: [DONE]\n\n'])
    const response = await enforcedFetch(brief, { fetch: playing(long2(), long2()) })(url, { ...post, body: streamBody })
    expect(response.status).toBe(200)
    const { text, thrown } = await readAll(response)
    expect(text).toContain('"code":"MAX_WORDS"')
    expect(text).not.toContain('[DONE]')
    expect(thrown).toBeInstanceOf(Error)
  })
})

test('a stream that its provider breaks does not end', async () => {
  const cut = streamed([chunk({ content: 'Use ' }), chunk({ content: 'spaces ' }), chunk({ content: 'now' })], true)
  const response = await enforcedFetch(brief, { fetch: playing(cut) })(url, { ...post, body: streamBody })
  const { text, thrown } = await readAll(response)
  expect(text).toContain('Use ')
  expect(text).not.toContain('[DONE]')
  expect(thrown).toBeInstanceOf(Error)
})

async function readAll(response: Response): Promise<{ readonly text: string; readonly thrown: unknown }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const piece of response.body as AsyncIterable<Uint8Array>) text += decoder.decode(piece, { stream: true })
  } catch (thrown) {
    return { text, thrown }
  }
  return { text, thrown: undefined }
}

describe('a caller that gives up', () => {
  test('before the answer: the provider is told, and the promise rejects with the reason', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    let told: AbortSignal | undefined
    const below: typeof globalThis.fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        told = init?.signal ?? undefined
        told?.addEventListener('abort', () => reject(told?.reason))
      })
    const asking = enforcedFetch(brief, { fetch: below })(url, { ...post, body, signal: controller.signal })
    setTimeout(() => controller.abort(reason), 5)
    await expect(asking).rejects.toBe(reason)
    expect(told?.aborted).toBe(true)
    await expect(enforcedFetch(brief, { fetch: below })(url, { ...post, body, signal: controller.signal })).rejects.toBe(reason)
  })

  test.each(['abort', 'cancel'] as const)('in the middle of a stream, by %s', async (how) => {
    const controller = new AbortController()
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      async pull(source) {
        await new Promise((resolve) => setTimeout(resolve, 1))
        source.enqueue(new TextEncoder().encode(chunk({ reasoning_content: 'Hm. ' })))
      },
      cancel() {
        isCancelled = true
      },
    })
    const outcomes: Outcome[] = []
    const shadow = contract({ checks: [{ max_words: { limit: 3 } }], mode: 'shadow' })
    const options = { fetch: playing(new Response(endless, { headers: { 'content-type': 'text/event-stream' } })) }
    const fetching = enforcedFetch(shadow, { ...options, onOutcome: (outcome) => void outcomes.push(outcome) })
    const response = await fetching(url, { ...post, body: streamBody, signal: controller.signal })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    if (how === 'cancel') await reader.cancel()
    else {
      controller.abort(new Error('enough'))
      await expect(reader.read()).rejects.toThrow('enough')
    }
    for (let turn = 0; turn < 100 && outcomes.length === 0; turn++) await new Promise((resolve) => setTimeout(resolve, 2))
    expect(isCancelled).toBe(true)
    expect(outcomes).toMatchObject([{ status: 'failed', failure: { kind: 'aborted' } }])
  })
})

test('a reader that is slow slows the provider down', async () => {
  let pulled = 0
  const many = new ReadableStream<Uint8Array>(
    {
      pull(source) {
        if (pulled++ < 2000) source.enqueue(new TextEncoder().encode(chunk({ content: 'word '.repeat(20) })))
        else {
          source.enqueue(new TextEncoder().encode(`${chunk({}, 'stop')}data: [DONE]\n\n`))
          source.close()
        }
      },
    },
    { highWaterMark: 0 },
  )
  const any = contract({ checks: [{ max_words: { limit: 1_000_000 } }] })
  const below = playing(new Response(many, { headers: { 'content-type': 'text/event-stream' } }))
  const response = await enforcedFetch(any, { fetch: below })(url, { ...post, body: streamBody })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(pulled).toBeLessThan(1000)
  const { text, thrown } = await readAll(response)
  expect([pulled, thrown, text.includes('[DONE]')]).toEqual([2001, undefined, true])
})

test.each<[string, () => unknown, string]>([
  ['an option that does not exist', () => enforcedFetch(brief, { onOutcom: () => {} } as never), 'did you mean "onOutcome"'],
  ['rules that are not a contract', () => enforcedFetch({ checks: [] } as never), 'contract({ … })'],
  ['a limit that is no number', () => enforcedFetch(brief, { maxResponseBytes: -1 }), 'maxResponseBytes'],
])('%s is reported when the function is made', (_, make, words) => {
  expect(make).toThrow(words)
})

test('a request that cannot be read is answered in the format of its API', async () => {
  const below = playing()
  const bad = JSON.stringify({ model: 'm', messages: 'none' })
  const chat = await enforcedFetch(brief, { fetch: below })(url, { ...post, body: bad })
  expect([chat.status, await chat.json()]).toMatchObject([400, { error: { type: 'invalid_request_error', param: 'messages' } }])
  const other = await enforcedFetch(brief, { fetch: below })('https://api.example.com/v1/messages', { ...post, body: bad })
  expect([other.status, await other.json()]).toMatchObject([400, { type: 'error', error: { type: 'invalid_request_error' } }])
  expect(below.calls).toEqual([])
})

describe('a contract for each request', () => {
  const ask = (given: Parameters<typeof enforcedFetch>[0], fetch: typeof globalThis.fetch, sent = body) =>
    enforcedFetch(given, { fetch })(url, { ...post, body: sent })

  test.each(['now', 'later'])('is chosen by what the client sends: %s', async (when) => {
    const seen: FetchedRequest[] = []
    const choose = (request: FetchedRequest) => {
      seen.push(request)
      const chosen = request.body.model === 'm' ? brief : contract({ checks: [] })
      return when === 'now' ? chosen : Promise.resolve(chosen)
    }
    const long = 'Use spaces and nothing else.'
    const replies = await Promise.all([
      ask(choose, playing(completion(long), completion('Use spaces.'))),
      ask(choose, playing(completion(long)), JSON.stringify({ model: 'other', messages })),
    ])
    const texts = await Promise.all(
      replies.map(async (reply) => ((await reply.json()) as { choices: { message: { content: string } }[] }).choices[0]?.message.content),
    )
    expect(texts).toEqual(['Use spaces.', long])
    expect(seen).toMatchObject([{ api: 'chat', url, body: { model: 'm' } }, { body: { model: 'other' } }])
  })

  test('is not asked for where nothing is enforced', async () => {
    const fetch = playing(Response.json({}))
    await enforcedFetch(() => expect.unreachable(), { fetch })('https://api.example.com/v1/models')
    expect(fetch.calls).toHaveLength(1)
  })

  test.each([
    ['throws', () => expect.fail('no contract'), 'no contract'],
    ['rejects', () => Promise.reject(new Error('no contract')), 'no contract'],
    ['gives nothing', () => undefined as never, 'contract'],
    ['gives what is no contract', async () => ({ checks: [] }) as never, 'contract'],
  ])('is an error of the program when its function %s, and nothing is sent', async (_name, choose, message) => {
    const fetch = playing()
    await expect(ask(choose, fetch)).rejects.toThrow(message)
    expect(fetch.calls).toHaveLength(0)
  })
})
