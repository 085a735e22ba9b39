import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { answering, answeringEvents } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
server: { port: 0, heartbeat: 0.5 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 2, stream: hold }
  grounded: { checks: [{ citations: {} }], retries: 0 }
routes:
  - { model: brief, upstream: up, contract: brief, exemptTasks: [title_generation] }
  - { model: grounded, upstream: up, contract: grounded }
  - { model: grounded-in-words, upstream: up, contract: grounded, errorsAs: text }
  - { model: plain, upstream: up }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

interface RawReply {
  readonly head: string
  /** The body without its chunks, exactly as it was sent. */
  readonly body: string
  /** The data of its frames, in order; comments stand there as they are. */
  readonly frames: readonly unknown[]
}

/** Asks through a bare socket and reads until the other side closes. */
async function ask(body: object, headers: Readonly<Record<string, string>> = {}, path = '/v1/chat/completions'): Promise<RawReply> {
  const { port, hostname, host } = new URL(gateway.url)
  const text = JSON.stringify({ messages: [{ role: 'user', content: 'Tabs or spaces?' }], stream: true, ...body })
  const lines = Object.entries({ host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers })
  const socket = connect(Number(port), hostname)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`)
  const pieces: Buffer[] = []
  socket.on('data', (piece) => pieces.push(piece))
  // The server ends the connection itself: nobody asked it to.
  await once(socket, 'end')
  socket.destroy()
  const whole = Buffer.concat(pieces)
  const end = whole.indexOf('\r\n\r\n')
  const head = whole.subarray(0, end).toString('latin1').toLowerCase()
  const sent = dechunk(whole.subarray(end + 4))
  return { head, body: sent, frames: framesOf(sent) }
}

function dechunk(bytes: Buffer): string {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (size === 0) return Buffer.concat(parts).toString('utf8')
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
  throw new Error('the body has no end')
}

function framesOf(body: string): unknown[] {
  expect(body.endsWith('\n\n')).toBe(true)
  return body
    .slice(0, -2)
    .split('\n\n')
    .map((frame) => {
      // One line each: neither event names nor data over several lines.
      expect(frame).toMatch(/^(?:data: |: )[^\r\n]*$/)
      if (!frame.startsWith('data: ')) return frame
      return frame === 'data: [DONE]' ? '[DONE]' : JSON.parse(frame.slice('data: '.length))
    })
}

type Chunk = Record<string, unknown> & { choices: { delta: Record<string, unknown>; finish_reason: string | null }[] }
const chunksOf = ({ frames }: RawReply): Chunk[] => frames.filter((frame): frame is Chunk => typeof frame === 'object')
const textOf = (reply: RawReply) =>
  chunksOf(reply)
    .flatMap(({ choices = [] }) => choices.map(({ delta }) => delta.content ?? ''))
    .join('')
const eventsOf = (reply: RawReply) => chunksOf(reply).flatMap(({ event }) => (event === undefined ? [] : [event]))

describe('the frames of a chat stream', () => {
  it('are exactly these', async () => {
    gateway.upstream.enqueue(answering('Use spaces.', { usage: { prompt: 11, completion: 3 }, chunks: ['Use ', 'spaces.'] }))
    const { head, body } = await ask({ model: 'plain', stream_options: { include_usage: true } })
    expect(head).toMatch(/^http\/1\.1 200 /)
    for (const line of [
      'content-type: text/event-stream; charset=utf-8',
      'cache-control: no-store',
      'connection: close',
      'x-accel-buffering: no',
    ])
      expect(head.split('\r\n')).toContain(line)
    expect(head).toMatch(/\r\nx-request-id: \S+/)
    const chunk = '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"plain","choices":'
    const delta = (given: string) => `data: ${chunk}[{"index":0,"delta":${given},"finish_reason":null}]}\n\n`
    const verdict = '"stickler":{"status":"unenforced","contract":"","attempts":1,"issues":[],"fixed":[],"repairs":[],"unchecked":[]}'
    expect(body).toBe(
      [
        delta('{"role":"assistant","content":""}'),
        delta('{"content":"Use "}'),
        delta('{"content":"spaces."}'),
        `data: ${chunk}[{"index":0,"delta":{},"finish_reason":"stop"}],${verdict}}\n\n`,
        `data: ${chunk}[],"usage":{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14}}\n\n`,
        'data: [DONE]\n\n',
      ].join(''),
    )
  })

  test.each([
    ['plain', 'Use spaces, not tabs, everywhere.'],
    ['brief', 'Use spaces.'],
    ['grounded', 'Spaces are safe[^1]. Tabs are not.'],
    ['grounded', 'Spaces are safe. But[^9] no.'],
  ])('A22 are the same however the frames of the upstream are cut: %s %j', async (model, text) => {
    const bodies = new Set<string>()
    for (const splitEvery of [undefined, 1, 7, 100, 1_000_000]) {
      gateway.upstream.enqueue(answering(text, splitEvery === undefined ? {} : { framing: { splitEvery } }))
      const { body } = await ask({ model, stickler: { sources: 1 } })
      // Heartbeats come when the machine is slow, not by the frames.
      bodies.add(body.replaceAll(': heartbeat\n\n', '').replaceAll(/(?:req_|req-)?[0-9a-f-]{32,36}/g, 'ID'))
    }
    expect([...bodies]).toHaveLength(1)
  })

  it('carry the verdict of the contract with the finish', async () => {
    gateway.upstream.enqueue(answering('That depends on so many things.'), answering('Use spaces.'))
    const reply = await ask({ model: 'brief' })
    const last = chunksOf(reply).at(-1)
    expect(last).toMatchObject({ choices: [{ finish_reason: 'stop' }], stickler: { status: 'valid', contract: 'brief', attempts: 2 } })
    expect(reply.frames.at(-1)).toBe('[DONE]')
    expect(eventsOf(reply)).toEqual([])
    expect(textOf(reply)).toBe('Use spaces.')
  })

  it('are as long as the provider made them, and hold no line of their own', async () => {
    const text = `${'0123456789\r\n\ndata: {"error":1}\r\u2028'.repeat(700)}😀`
    gateway.upstream.enqueue(answering(text, { chunks: [text] }))
    const reply = await ask({ model: 'plain' })
    expect(textOf(reply)).toBe(text)
    const pieces = chunksOf(reply).flatMap(({ choices }) => choices.map(({ delta }) => String(delta.content ?? '')))
    expect(pieces.filter((piece) => piece !== '')).toEqual([text])
  })

  it('never bring what a provider slips in for chat clients to obey', async () => {
    const evil = { type: 'execute', data: { code: 'alert(1)' } }
    const chunk = (delta: object, finish: string | null = null) => ({
      id: 'c',
      event: evil,
      choices: [{ index: 0, delta: { ...delta, event: evil, sources: ['x'] }, finish_reason: finish, event: evil }],
    })
    gateway.upstream.enqueue(
      answeringEvents([
        chunk({ content: 'Use ' }),
        { id: 'c', choices: [], event: evil },
        chunk({ content: 'spaces.' }),
        chunk({}, 'stop'),
      ]),
    )
    const reply = await ask({ model: 'plain' })
    expect(textOf(reply)).toBe('Use spaces.')
    expect(reply.body).not.toMatch(/event|execute|alert/)
  })
})

describe('heartbeats', () => {
  it('are comments, sent while text is held', async () => {
    gateway.upstream.enqueue(answering('Use spaces.', { delayMs: 600 }))
    const reply = await ask({ model: 'brief' })
    const beats = reply.frames.filter((frame) => frame === ': heartbeat').length
    expect(beats).toBeGreaterThan(0)
    expect(textOf(reply)).toBe('Use spaces.')
    // They come first: nothing is shown before the verdict.
    expect(reply.frames[0]).toBe(': heartbeat')
  })
})

describe('Open WebUI', () => {
  const headers = { 'X-OpenWebUI-Chat-Id': 'chat-1' }
  // Different from their first words on: an answer that is stopped at the same place again makes no progress.
  const bad = ['one two three four five six', 'a title of many more words', 'uno due tre quattro cinque sei'] as const

  it('sees what is going on in chunks without choices, and that it is over', async () => {
    gateway.upstream.enqueue(answering(bad[0]), answering(bad[1]), answering('Use spaces.'))
    const reply = await ask({ model: 'brief' }, headers)
    const status = (description: string, done: boolean) => ({ type: 'status', data: { description, done } })
    expect(eventsOf(reply)).toEqual([
      status('Attempt 2 of 3: repairing MAX_WORDS', false),
      status('Attempt 3 of 3: repairing MAX_WORDS', false),
      status('Attempt 3 of 3: repairing MAX_WORDS', true),
    ])
    expect(chunksOf(reply).every((chunk) => Array.isArray(chunk.choices))).toBe(true)
    expect(new Set(chunksOf(reply).map(({ id, created }) => `${id} ${created}`)).size).toBe(1)
    for (const chunk of chunksOf(reply)) if (chunk.event !== undefined) expect(chunk.choices).toEqual([])
    expect(textOf(reply)).toBe('Use spaces.')
  })

  test.each<[string, object, Record<string, string>]>([
    ['a field', { stickler: { progress: true } }, {}],
    ['a header', {}, { 'X-Stickler-Progress': '1' }],
  ])('is not the only one: others ask for it with %s', async (_, body, given) => {
    gateway.upstream.enqueue(answering(bad[0]), answering('Use spaces.'))
    expect(eventsOf(await ask({ model: 'brief', ...body }, given))).toHaveLength(2)
  })

  test.each(['/v1/responses', '/v1/messages'])('keeps the status of an error where nothing can be shown: %s', async (path) => {
    gateway.upstream.enqueue(...bad.map((text) => answering(text)))
    const body = path === '/v1/responses' ? { input: 'Hello?' } : { messages: [{ role: 'user', content: 'Hello?' }], max_tokens: 9 }
    expect((await gateway.post(path, { model: 'brief', stream: true, ...body }, headers)).status).toBe(422)
  })

  it('finds its chat again as a session', async () => {
    const chat = { 'X-OpenWebUI-Chat-Id': 'chat-2' }
    await ask({ model: 'plain' }, chat)
    await ask({ model: 'brief' }, chat)
    // Runs are safe before the end of a reply, and can be read soon after it.
    await expect
      .poll(async () => (await gateway.get('/api/v1/sessions/chat-2')).json())
      .toMatchObject({ session: 'chat-2', runs: 2, newest: { items: [{ model: 'brief' }, { model: 'plain' }] } })
    expect((await gateway.get('/api/v1/sessions/chat-3')).status).toBe(404)
  })

  it('is told of an error in a running stream by a frame without choices, which is the last', async () => {
    gateway.upstream.enqueue(...bad.map((text) => answering(text)))
    const reply = await ask({ model: 'brief' }, headers)
    const last = reply.frames.at(-1) as { error: Record<string, unknown> }
    expect(Object.keys(last.error)).toEqual(['message', 'type', 'param', 'code'])
    expect(last.error).toMatchObject({ type: 'contract_violation', code: 'MAX_WORDS', param: null })
    expect(last).not.toHaveProperty('choices')
    expect(last).not.toHaveProperty('validation')
    expect(eventsOf(reply).at(-1)).toMatchObject({ data: { done: true } })
    expect(textOf(reply)).toBe('')
  })

  it('is told in words where that is configured', async () => {
    const stickler = { sources: 1 }
    gateway.upstream.enqueue(answering('Spaces are safe. But[^9] no.'))
    const reply = await ask({ model: 'grounded-in-words', stickler })
    expect(textOf(reply)).toMatch(/^Spaces are safe\.[^[]*\n\nThe answer does not meet the contract "grounded": CITATION_OUT_OF_RANGE: /)
    expect(chunksOf(reply).at(-1)).toMatchObject({ choices: [{ finish_reason: 'stop' }], stickler: { status: 'unresolved' } })
    expect(reply.frames.at(-1)).toBe('[DONE]')
    expect(reply.body).not.toContain('"error":')
  })

  it('is told of a broken connection too', async () => {
    gateway.upstream.enqueue(breakingOff('Use spaces, not tabs.', 3))
    const reply = await ask({ model: 'plain' }, headers)
    expect(reply.frames.at(-1)).toMatchObject({
      error: {
        message: 'The connection to the upstream broke before the answer was complete.',
        type: 'api_error',
        param: null,
        code: 'upstream_unreachable',
      },
    })
    expect(reply.frames.at(-1)).not.toHaveProperty('choices')
  })

  test.each([
    ['title_generation', 'unenforced', ''],
    ['tags_generation', undefined, undefined],
    ['', undefined, undefined],
  ])('tasks are exempt when they are configured: %j', async (task, status, contract) => {
    const long = 'A title of far more than five words'
    gateway.upstream.enqueue(answering(long))
    const calls = gateway.upstream.requests.length
    gateway.upstream.otherwise(answering('Use spaces.'))
    const reply = await ask({ model: 'brief' }, task === '' ? {} : { 'X-Stickler-Task': task })
    expect(textOf(reply)).toBe(status === undefined ? 'Use spaces.' : long)
    expect(gateway.upstream.requests.length - calls).toBe(status === undefined ? 2 : 1)
    if (status !== undefined) expect(chunksOf(reply).at(-1)).toMatchObject({ stickler: { status, contract } })
  })
})

describe('citations', () => {
  const sources = [
    { url: 'https://example.com/a', title: 'A' },
    { title: 'no address' },
    { url: 'javascript:alert(1)', title: 'no' },
    { url: 'https://example.com/d' },
  ]
  const text = 'Grün[^1], two[^2], three[^3], four[^4].'
  const cite = (start_index: number, end_index: number, url: string, title: string) => ({
    type: 'url_citation',
    url_citation: { start_index, end_index, url, title },
  })
  const expected = [cite(4, 8, 'https://example.com/a', 'A'), cite(34, 38, 'https://example.com/d', 'https://example.com/d')]

  it('stand in a delta of a stream, behind the text', async () => {
    gateway.upstream.enqueue(answering(text))
    const reply = await ask({ model: 'grounded', stickler: { sources } })
    expect(textOf(reply)).toBe(text)
    const deltas = chunksOf(reply).flatMap(({ choices }) => choices.map(({ delta }) => delta))
    expect(deltas.filter(({ annotations }) => annotations !== undefined)).toEqual([{ annotations: expected }])
    for (const { url_citation } of expected) expect(text.slice(url_citation.start_index, url_citation.end_index)).toMatch(/^\[\^\d\]$/)
  })

  it('stand in the message of a whole answer', async () => {
    gateway.upstream.enqueue(answering(text))
    const response = await gateway.post('/v1/chat/completions', {
      model: 'grounded',
      messages: [{ role: 'user', content: 'Colour?' }],
      stickler: { sources },
    })
    const { choices } = (await response.json()) as { choices: { message: Record<string, unknown> }[] }
    expect(choices[0]?.message).toMatchObject({ content: text, annotations: expected })
    expect(gateway.upstream.requests.at(-1)?.body).not.toContain('stickler')
  })
})
