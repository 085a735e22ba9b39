import { describe, expect, test } from 'vitest'
import { contract } from '../catalogue.ts'
import { anthropicMiddleware } from './anthropic-middleware.ts'
import { enforcedFetch } from './enforced-fetch.ts'

const brief = contract({ checks: [{ max_words: { limit: 3 } }], retries: 1 })
const url = 'https://api.example.com/v1/chat/completions'
const messages = [{ role: 'user', content: 'Tabs or spaces?' }]
const body = JSON.stringify({ model: 'm', messages })
const post = { method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer sk-secret-0123456789' } }

function completion(content: string): Response {
  return Response.json({ id: 'c1', model: 'm', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] })
}

interface Call {
  readonly input: string | URL | Request
  readonly init: RequestInit | undefined
}

/** A `fetch` that gives these responses and remembers its calls. */
function playing(...turns: readonly Response[]): typeof globalThis.fetch & { readonly calls: Call[] } {
  const calls: Call[] = []
  const play: typeof globalThis.fetch = async (input, init) => {
    calls.push({ input: input as Call['input'], init })
    const turn = turns[calls.length - 1]
    if (turn === undefined) throw new Error('nothing is left to play')
    return turn
  }
  return Object.assign(play, { calls })
}

/** A request of another library, which is no instance of the platform's class. */
class OtherRequest {
  readonly url: string
  readonly method = 'POST'
  readonly headers = new Headers(post.headers)
  readonly body: unknown

  constructor(to: string, sent: unknown) {
    this.url = to
    this.body = sent
  }
}

class CloningRequest extends OtherRequest {
  clone(): CloningRequest {
    return new CloningRequest(this.url, this.body)
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Response(String(this.body)).arrayBuffer()
  }
}

async function* slices(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(body.slice(0, 9))
  yield new TextEncoder().encode(body.slice(9))
}

describe('a request is read however it is passed', () => {
  const bytes = new TextEncoder().encode(body)
  const typed = (type: string) => ({ method: 'POST', headers: { 'content-type': type }, body })
  const at = (path: string): [string, string, RequestInit] => [
    `the path ${JSON.stringify(path)}`,
    `https://h.example${path}`,
    { ...post, body },
  ]
  test.each<[string, unknown, (Omit<RequestInit, 'body'> & { body?: unknown; duplex?: 'half' }) | undefined]>([
    at('/v1/chat/completions '),
    at('/v1/chat/completions\n'),
    at('/v1/chat/./completions'),
    at('/v1/chat/completions/x/..'),
    at('/v1/chat/completions/.'),
    at('/v1\\chat\\completions'),
    at('/v1/chat/comple\ttions'),
    at('/v1/chat/completions//'),
    at('//v1/chat//completions'),
    at('/v1/Chat/Completions'),
    at('/v1/chat/completion%73'),
    at('/v1/chat%2Fcompletions'),
    at('/v1/chat/x%2F../completions'),
    at('/v1/chat/completions%20'),
    at('/v1/chat/completions;v=1'),
    at('/v1/%zz/chat/completions'),
    ['a Request without a type', new Request(url, { method: 'POST', body }), undefined],
    ['plain text', url, typed('text/plain')],
    ['bytes of no type', url, typed('application/octet-stream')],
    ['a blob with a type', url, { method: 'POST', body: new Blob([body], { type: 'application/json' }) }],
    ['text with a mark of its byte order', url, { ...post, body: `\ufeff${body}` }],
    ['a text object', url, { ...post, body: Object(body) }],
    ['a stream', url, { ...post, body: new Blob([body]).stream(), duplex: 'half' }],
    ['an iterable', url, { ...post, body: slices(), duplex: 'half' }],
    [
      'a Request that does not show its body',
      Object.defineProperty(new Request(url, { ...post, body }), 'body', { value: undefined }),
      undefined,
    ],
    ['an address that only its own `fetch` knows', new OtherRequest('https://{host}/v1/chat/completions?a=1', body), undefined],
    ['a Request of another class', new OtherRequest(url, body), undefined],
    ['a Request of another class with a stream', new OtherRequest(url, new Blob([body]).stream()), undefined],
    ['a Request of another class that can be cloned', new CloningRequest(url, body), undefined],
    ['a text', url, { ...post, body }],
    ['a URL', new URL(url), { ...post, body }],
    ['bytes', url, { ...post, body: bytes }],
    ['a buffer', url, { ...post, body: bytes.buffer }],
    ['a blob', url, { ...post, body: new Blob([body]) }],
    ['a Request', new Request(url, { ...post, body }), undefined],
    [
      'a Request with other headers',
      new Request(url, { ...post, body }),
      { headers: { 'content-type': 'application/json', 'x-own': '1' } },
    ],
    ['a method in small letters', url, { ...post, method: 'post', body }],
    ['an address of Azure', 'https://x.example.com/openai/deployments/d/chat/completions?api-version=2026-01-01', { ...post, body }],
    ['a slash at its end', `${url}/`, { ...post, body }],
  ])('%s', async (_, given, how) => {
    const [input, init] = [given as Request, how as RequestInit | undefined]
    const below = playing(completion('Use spaces and nothing else.'), completion('Use spaces.'))
    const response = await enforcedFetch(brief, { fetch: below })(input, init)
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Use spaces.' } }], stickler: { attempts: 2 } })
    expect(below.calls).toHaveLength(2)
    const [first, second] = below.calls.map(({ input: to, init: sent }) =>
      to instanceof OtherRequest
        ? new Request(to.url.replace('{host}', 'h'), to as RequestInit)
        : new Request(String(to) === '[object Request]' ? to : String(to).replace('{host}', 'h'), sent),
    ) as [Request, Request]
    expect(await first.text()).toBe(body)
    expect(((await second.json()) as { messages: unknown[] }).messages).toHaveLength(3)
    for (const name of ['authorization', 'content-type', 'x-own']) expect(second.headers.get(name)).toBe(first.headers.get(name))
    expect(second.url).toBe(first.url)
  })

  test('a caller that gives up while its stream is read is answered at once', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const stalled = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
    const init = { ...post, body: stalled, duplex: 'half', signal: controller.signal }
    const asking = enforcedFetch(brief, { fetch: playing() })(url, init as RequestInit)
    setTimeout(() => controller.abort(reason), 5)
    await expect(asking).rejects.toBe(reason)
  })

  test('a model that only the address names is not added', async () => {
    const below = playing(completion('Use spaces and nothing else.'), completion('Use spaces.'))
    await enforcedFetch(brief, { fetch: below })(url, { ...post, body: JSON.stringify({ messages }) })
    expect(below.calls.map(({ init }) => 'model' in JSON.parse(String(init?.body)))).toEqual([false, false])
  })
})

describe('a body for a model that cannot be read is refused, and nothing is sent', () => {
  const large = new ReadableStream<Uint8Array>({ pull: (source) => source.enqueue(new Uint8Array(16 * 1024 * 1024)) })
  const zipped = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'))
  test.each<[string, unknown]>([
    ['text that is not JSON', '{"model":'],
    ['JSON with a comma too many', body.replace(/}$/, ',}')],
    ['a list', `[${body}]`],
    ['nothing', ''],
    ['UTF-16', Buffer.from(body, 'utf16le')],
    ['UTF-16 with a mark of its byte order', Buffer.from(`\ufeff${body}`, 'utf16le')],
    ['what is compressed', zipped],
    ['fields of a form', new URLSearchParams({ model: 'm' })],
    ['a stream that is too large', large],
    ['a stream of something else', new ReadableStream({ pull: (source) => source.enqueue(7) })],
  ])('%s', async (_, sent) => {
    const init = { ...post, body: sent, duplex: 'half' } as RequestInit
    const below = playing()
    const response = await enforcedFetch(brief, { fetch: below })(url, init)
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error', code: 'unreadable_request', param: null } },
    ])
    expect(below.calls).toEqual([])
  })
})

describe('a middleware reads a body however it is passed', () => {
  const address = 'https://api.example.com/v1/messages'
  const asked = JSON.stringify({ model: 'm', max_tokens: 9, messages })
  const reply = (text: string) =>
    Response.json({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    })

  test.each<[string, unknown]>([
    ['text', asked],
    ['bytes', new TextEncoder().encode(asked)],
    ['a stream', new Blob([asked]).stream()],
  ])('%s', async (_, given) => {
    const sent: string[] = []
    const request = { url: address, method: 'POST', headers: post.headers, body: given as string }
    const response = await anthropicMiddleware(brief)(request, async (next) => {
      sent.push(await new Response(next.body).text())
      return reply(sent.length === 1 ? 'Use spaces and nothing else.' : 'Use spaces.')
    })
    expect(await response.json()).toMatchObject({ stickler: { attempts: 2 } })
    expect(sent[0]).toBe(asked)
  })

  test('what cannot be read is refused', async () => {
    const request = { url: address, method: 'POST', body: Buffer.from(asked, 'utf16le') }
    const response = await anthropicMiddleware(brief)(request, () => Promise.reject(new Error('sent')))
    expect([response.status, await response.json()]).toMatchObject([400, { type: 'error', error: { type: 'invalid_request_error' } }])
  })
})
