import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../engine/runner.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { type OpenAiSettings, openai } from './openai.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const servers: { close(): unknown; sockets: Set<Socket> }[] = []
const unhandled: unknown[] = []
beforeAll(() => void process.on('unhandledRejection', (reason) => unhandled.push(reason)))
afterEach(async () => {
  for (const { close, sockets } of servers.splice(0)) {
    close()
    for (const socket of sockets) socket.destroy()
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(unhandled).toEqual([])
})

/** Listens on loopback; tells the address and, when they close, the connections. */
async function listen(server: Server) {
  const sockets = new Set<Socket>()
  let connections = 0
  let onClose = (): void => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => onClose())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  servers.push({ close: () => server.close(), sockets })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, closed, connections: () => connections }
}

const http = (handler: Handler) => listen(createServer(handler))
const tcp = (onSocket: (socket: Socket) => void) => listen(createTcpServer(onSocket))
/** Answers with raw bytes as soon as the request is there. */
const raw = (write: (socket: Socket) => void) => tcp((socket) => void socket.once('data', () => write(socket)))

interface Asked {
  readonly stream?: boolean
  readonly signal?: AbortSignal
  readonly settings?: Partial<OpenAiSettings>
  readonly onText?: (text: string) => void
}

async function ask(baseUrl: string, { stream = true, signal = new AbortController().signal, settings = {}, onText }: Asked = {}) {
  const runner = openai({ baseUrl, model: 'm', apiKey: 'sk-very-secret-key', retries: 0, ...settings })
  let text = ''
  let end: ModelEvent | undefined
  try {
    for await (const event of runner.run(undefined, 'hi', { stream, signal })) {
      if (event.type === 'end') end = event
      else {
        text += event.text
        onText?.(event.text)
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof RunnerFailure)) throw thrown
    expect(JSON.stringify([thrown.message, thrown.stack, thrown.details, String(thrown.cause)])).not.toContain('sk-very-secret')
    return { text, kind: thrown.kind, message: thrown.message, details: thrown.details }
  }
  return { text, end }
}

const sse = { 'content-type': 'text/event-stream' }
const json = { 'content-type': 'application/json' }
const chunk = (content: string, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason: finish }] })}\n\n`
const whole = JSON.stringify({ choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }] })
const rawHead = (type: string, more = ''): string => `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${more}\r\n`

describe('connections', () => {
  it('U01 closed port', async () => {
    const { baseUrl } = await http(() => {})
    servers.at(-1)?.close()
    expect(await ask(baseUrl)).toMatchObject({ kind: 'connection', message: expect.stringContaining('ECONNREFUSED') })
  })
  it('U02 accepted, but no byte', async () => {
    const { baseUrl, closed } = await tcp((socket) => void socket.resume())
    expect(await ask(baseUrl, { settings: { timeouts: { firstByteMs: 30 } } })).toMatchObject({ kind: 'timeout' })
    await closed
  })
  it('U02 headers, but no body', async () => {
    const { baseUrl, closed } = await http((_, response) => response.writeHead(200, sse).flushHeaders())
    expect(await ask(baseUrl, { settings: { timeouts: { firstByteMs: 30 } } })).toMatchObject({ kind: 'timeout' })
    await closed
  })
  it.each([
    ['idle', { idleMs: 30 }],
    ['total', { totalMs: 60 }],
  ])('U03 half a body, %s limit', async (_, timeouts) => {
    const { baseUrl, closed } = await http((_request, response) => response.writeHead(200, json).write(whole.slice(0, 20)))
    expect(await ask(baseUrl, { stream: false, settings: { timeouts } })).toMatchObject({ kind: 'timeout' })
    await closed
  })
  it('U04 a stream that falls silent', async () => {
    const { baseUrl, closed } = await http((_, response) => response.writeHead(200, sse).write(chunk('a') + chunk('b')))
    expect(await ask(baseUrl, { settings: { timeouts: { idleMs: 30 } } })).toMatchObject({ kind: 'timeout', text: 'ab' })
    await closed
  })
  it('U04 a stream that falls silent after its last word is complete', async () => {
    const { baseUrl } = await http((_, response) => response.writeHead(200, sse).write(chunk('a', 'stop')))
    expect(await ask(baseUrl, { settings: { timeouts: { idleMs: 30 } } })).toMatchObject({ text: 'a', end: { finishReason: 'stop' } })
  })
  it('ends at [DONE], although the connection stays open', async () => {
    const { baseUrl, closed } = await http((_, response) => response.writeHead(200, sse).write(`${chunk('a', 'stop')}data: [DONE]\n\n`))
    expect(await ask(baseUrl)).toMatchObject({ text: 'a', end: { finishReason: 'stop' } })
    await closed
  })
  it('U05 reset in the middle of a stream', async () => {
    const { baseUrl } = await raw((socket) =>
      socket.write(rawHead('text/event-stream') + chunk('a'), () => setTimeout(() => socket.resetAndDestroy(), 5)),
    )
    expect(await ask(baseUrl)).toMatchObject({ kind: 'connection' })
  })
  it('U05 closed in the middle of a chunked stream', async () => {
    const head = rawHead('text/event-stream', 'transfer-encoding: chunked\r\n')
    const { baseUrl } = await raw((socket) => socket.end(`${head}${chunk('a').length.toString(16)}\r\n${chunk('a')}\r\n`))
    expect(await ask(baseUrl)).toMatchObject({ kind: 'connection', text: 'a' })
  })
  it('U06 body shorter than announced', async () => {
    const { baseUrl } = await raw((socket) => socket.end(rawHead('application/json', 'content-length: 1000\r\n') + whole))
    expect(await ask(baseUrl, { stream: false })).toMatchObject({ kind: 'connection', text: '' })
  })
  it('U13 every byte on its own', async () => {
    const source = Buffer.from(`: hi\r\n\r\n${chunk('Grüße ').replaceAll('\n', '\r\n')}${chunk('🙂', 'stop')}data: [DONE]`)
    const { baseUrl } = await http((_, response) => {
      response.writeHead(200, sse).socket?.setNoDelay(true)
      const drip = (at: number): unknown =>
        at === source.length ? response.end() : response.write(source.subarray(at, at + 1), () => setImmediate(drip, at + 1))
      drip(0)
    })
    expect(await ask(baseUrl)).toMatchObject({ text: 'Grüße 🙂', end: { finishReason: 'stop' } })
  })
  it('U16 slow drip', async () => {
    const { baseUrl, closed } = await http((_, response) => {
      response.writeHead(200, json)
      const timer = setInterval(() => response.write(' '), 5)
      response.on('close', () => clearInterval(timer))
    })
    expect(await ask(baseUrl, { stream: false, settings: { timeouts: { idleMs: 5000, totalMs: 80 } } })).toMatchObject({ kind: 'timeout' })
    await closed
  })
  it('no HTTP at all', async () => {
    const { baseUrl } = await raw((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    expect(await ask(baseUrl)).toMatchObject({ kind: 'protocol' })
  })
  it.each([true, false])('uses a connection again (stream: %s)', async (stream) => {
    const body = stream ? `${chunk('a', 'stop')}data: [DONE]\n\n` : whole
    const { baseUrl, connections } = await http((_, response) => response.writeHead(200, stream ? sse : json).end(body))
    for (let count = 0; count < 10; count++) await ask(baseUrl, { stream })
    expect(connections()).toBeLessThan(4)
  })
})

describe('status codes', () => {
  it.each([400, 401, 403, 404, 408, 422, 429, 500, 503])('%i', async (status) => {
    const body = JSON.stringify({ error: { message: `because of ${status}`, type: 'x' } })
    const { baseUrl } = await http((_, response) => response.writeHead(status, { ...json, 'retry-after': '2' }).end(body))
    expect(await ask(baseUrl)).toMatchObject({
      kind: 'http',
      message: `the provider answered with status ${status}: because of ${status}`,
      details: { status, body, retryAfterMs: 2000 },
    })
  })
  it('U07 a date, by the given calendar, and garbage', async () => {
    let value = 'Thu, 01 Jan 2026 00:01:00 GMT'
    const { baseUrl } = await http((_, response) => response.writeHead(429, { 'retry-after': value }).end())
    const settings = { today: () => Date.UTC(2026, 0, 1) }
    expect(await ask(baseUrl, { settings })).toMatchObject({ kind: 'http', details: { retryAfterMs: 60_000 } })
    value = 'soon'
    expect((await ask(baseUrl, { settings })).details).toEqual({ status: 429, body: '' })
  })
  it.each([
    ['huge', 'x'.repeat(5_000_000)],
    ['cut inside a character', `${'x'.repeat(4095)}🙂`],
    ['with the key', `Incorrect API key sk-very-secret-key; ${'-'.repeat(4040)}sk-very-secret-key`],
    ['with the key in the message', JSON.stringify({ error: { message: `${'-'.repeat(290)}sk-very-secret-key` } })],
  ])('shows no more than it should of a body that is %s', async (_, body) => {
    const { baseUrl } = await http((_request, response) => response.writeHead(500).end(body))
    const { kind, message = '', details } = await ask(baseUrl)
    expect(kind).toBe('http')
    expect(message.length).toBeLessThan(400)
    expect(details?.body?.length).toBeLessThanOrEqual(4096)
    expect(details?.body).not.toContain('\uFFFD')
  })
  it('reports the status although the body never ends', async () => {
    const { baseUrl, closed } = await http((_, response) => response.writeHead(503).write('busy'))
    expect(await ask(baseUrl, { settings: { timeouts: { idleMs: 30 } } })).toMatchObject({
      kind: 'http',
      details: { status: 503, body: 'busy' },
    })
    await closed
  })
  it.each([301, 302, 303, 307, 308])('U15 does not follow %i', async (status) => {
    let visits = 0
    const other = await http((_, response) => {
      visits++
      response.end(whole)
    })
    const { baseUrl } = await http((_, response) => response.writeHead(status, { location: `${other.baseUrl}/chat/completions` }).end())
    expect(await ask(baseUrl)).toMatchObject({ kind: 'http', details: { status } })
    expect(visits).toBe(0)
  })
})

describe('encodings and sizes', () => {
  it.each([
    ['gzip', gzipSync(whole)],
    ['br', brotliCompressSync(whole)],
    ['deflate', deflateSync(whole)],
  ])('U11 %s', async (encoding, body) => {
    const { baseUrl } = await http((_, response) => response.writeHead(200, { ...json, 'content-encoding': encoding }).end(body))
    expect(await ask(baseUrl, { stream: false })).toMatchObject({ text: 'hello' })
  })
  it.each(['gzip', 'br'])('U11 a lie about %s', async (encoding) => {
    const { baseUrl } = await http((_, response) => response.writeHead(200, { ...json, 'content-encoding': encoding }).end(whole))
    expect(await ask(baseUrl, { stream: false })).toMatchObject({ kind: 'protocol', text: '' })
  })
  it('U11 a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const { baseUrl } = await http((_, response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb))
    expect(await ask(baseUrl, { stream: false, settings: { maxResponseBytes: 100_000 } })).toMatchObject({ kind: 'protocol' })
  })
  it.each([
    ['events', sse, chunk('a')],
    ['comments', sse, ': hi\n\n'],
    ['one line', sse, 'data: x'.repeat(1000)],
    ['JSON', json, '[[[['.repeat(1000)],
  ])('U12 endless %s', async (_, headers, piece) => {
    const { baseUrl, closed } = await http((_request, response) => {
      response.writeHead(200, headers)
      const pour = (): void => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', pour).on('error', () => {})
      pour()
    })
    expect(await ask(baseUrl, { settings: { maxResponseBytes: 200_000 } })).toMatchObject({
      kind: 'protocol',
      message: expect.stringContaining('200000'),
    })
    await closed
  })
})

describe('U20 giving up', () => {
  const endless: Handler = (_, response) => response.writeHead(200, sse).write(chunk('a'))

  it('before the call: nothing is sent', async () => {
    const { baseUrl, connections } = await http(endless)
    expect(await ask(baseUrl, { signal: AbortSignal.abort() })).toMatchObject({ kind: 'aborted' })
    expect(connections()).toBe(0)
  })
  it('before the first byte', async () => {
    const { baseUrl, closed } = await tcp((socket) => void socket.resume())
    expect(await ask(baseUrl, { signal: AbortSignal.timeout(20) })).toMatchObject({ kind: 'aborted', text: '' })
    await closed
  })
  it('in the middle of a stream', async () => {
    const caller = new AbortController()
    const { baseUrl, closed } = await http(endless)
    expect(await ask(baseUrl, { signal: caller.signal, onText: () => caller.abort() })).toMatchObject({ kind: 'aborted', text: 'a' })
    await closed
  })
  it('after the last word, before the end', async () => {
    const caller = new AbortController()
    const { baseUrl } = await http((_, response) => response.writeHead(200, sse).write(chunk('a', 'stop')))
    expect(await ask(baseUrl, { signal: caller.signal, onText: () => caller.abort() })).toMatchObject({ kind: 'aborted' })
  })
  it('by no longer listening', async () => {
    const { baseUrl, closed } = await http(endless)
    for await (const _ of openai({ baseUrl, model: 'm' }).run(undefined, 'hi', { stream: true, signal: new AbortController().signal }))
      break
    await closed
  })
  it('stops at once, although fetch does not care', async () => {
    const fetch: typeof globalThis.fetch = () => new Promise(() => {})
    expect(await ask('http://x', { signal: AbortSignal.timeout(10), settings: { fetch } })).toMatchObject({ kind: 'aborted' })
  })
  it('drops an answer that comes too late', async () => {
    let isCancelled = false
    const body = new ReadableStream({
      cancel() {
        isCancelled = true
      },
    })
    const fetch: typeof globalThis.fetch = () => new Promise((resolve) => setTimeout(resolve, 20, new Response(body)))
    expect(await ask('http://x', { signal: AbortSignal.timeout(5), settings: { fetch } })).toMatchObject({ kind: 'aborted' })
    await expect.poll(() => isCancelled).toBe(true)
  })
  it('tells no secret that fetch tells', async () => {
    const fetch: typeof globalThis.fetch = () => Promise.reject(new Error('no way with Bearer sk-very-secret-key'))
    expect(await ask('http://x', { settings: { fetch } })).toMatchObject({ kind: 'connection' })
  })
})
