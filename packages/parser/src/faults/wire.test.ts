import { getEventListeners, setMaxListeners } from 'node:events'
import { createServer as createHttp } from 'node:http'
import { createServer as createHttp2 } from 'node:http2'
import { type AddressInfo, createServer, type Server as NetServer, connect as openSocket, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { status } from '@grpc/grpc-js'
import type { ParserUnavailable } from '@stickler/core/validators'
import { afterEach, describe, expect, test } from 'vitest'
import { certificate } from '../../../../e2e/support/certificate.ts'
import { type GrpcParser, type GrpcParserSettings, grpcParser } from '../client/grpc-parser.ts'
import { openParser } from '../open-parser.ts'
import { startParserService } from '../service/parser-service.ts'
import { parserSettings } from '../settings/parser-settings.ts'
import { fakeParser } from '../testing/fake-parser.ts'
import { type Script, scriptedService } from '../testing/scripted-service.ts'
import { tooHard } from '../wire/too-hard.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function serve(script: Script) {
  const service = await scriptedService(script)
  closing.push(service.close)
  return service
}

function connect(settings: GrpcParserSettings): GrpcParser {
  const client = grpcParser(settings)
  closing.push(client.close)
  return client
}

async function guard(url: string) {
  const parser = await openParser(parserSettings({ url, breaker: { failures: 3 } }, { env: {}, folder: '.' }))
  closing.push(parser.close)
  return parser
}

async function failureOf(parsing: Promise<unknown>): Promise<Pick<ParserUnavailable, 'reason' | 'message'>> {
  return parsing.then(
    (verdict) => expect.fail(`there is a verdict: ${JSON.stringify(verdict)}`),
    ({ reason, message }: ParserUnavailable) => ({ reason, message }),
  )
}

describe('G08: calls that time out', () => {
  test('are cancelled at the service, and leave nothing behind', async () => {
    const late: (() => void)[] = []
    const { url, seen } = await serve((_call, answer) => late.push(() => answer(null, { verdict: 'VALID', trace: [] })))
    const client = connect({ url, timeoutMs: 60 })
    const { signal } = new AbortController()
    setMaxListeners(0, signal)
    const rounds = Number(process.env.FAULT_ROUNDS ?? 6)
    for (let round = 0; round < rounds; round++) {
      const calls = Array.from({ length: 50 }, () => failureOf(client.parse('x', 'x', signal)))
      for (const failure of await Promise.all(calls)) {
        expect(failure).toEqual({ reason: 'fault', message: 'the parser service did not answer within 60 ms' })
      }
      // Late answers reach nobody.
      for (const answer of late.splice(0)) answer()
    }
    // On a busy machine many time out before they reach the service.
    expect(seen.calls).toBeGreaterThan(5 * rounds)
    await expect.poll(() => seen.cancelled).toBe(seen.calls)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('a caller that gives up cancels its call, which says nothing about the service', async () => {
    const { url, seen } = await serve(() => {})
    const parser = await guard(url)
    for (let turn = 0; turn < 5; turn++) {
      const caller = new AbortController()
      const failure = failureOf(parser.parse('x', 'x', caller.signal))
      await expect.poll(() => seen.calls).toBe(turn + 1)
      caller.abort()
      expect(await failure).toMatchObject({ reason: 'aborted' })
    }
    await expect.poll(() => seen.cancelled).toBe(5)
    expect(parser.state).toBe('closed')
    expect(await failureOf(connect({ url }).parse('x', 'x', AbortSignal.abort()))).toMatchObject({ reason: 'aborted' })
    expect(seen.calls).toBe(5)
  })
})

describe('G10: outcomes that the caller causes', () => {
  test.each([
    ['a syntax error', { verdict: 'INVALID', trace: [] }, undefined],
    ['INVALID_ARGUMENT', { code: status.INVALID_ARGUMENT, details: 'no' }, 'refused'],
    ['RESOURCE_EXHAUSTED', { code: status.RESOURCE_EXHAUSTED, details: 'too much' }, 'too-large'],
    ['parsing that did not finish', { code: status.RESOURCE_EXHAUSTED, details: 'late', metadata: tooHard() }, 'too-hard'],
  ] as const)('%s does not open the circuit', async (_, reply, reason) => {
    const { url, seen } = await serve((_call, answer) => ('code' in reply ? answer(reply) : answer(null, reply)))
    const parser = await guard(url)
    for (let turn = 0; turn < 6; turn++) {
      const ended = await parser.parse('x', 'x').catch((error: unknown) => error)
      expect(ended).toMatchObject(reason === undefined ? { verdict: 'invalid' } : { reason })
    }
    expect([parser.state, seen.calls]).toEqual(['closed', 6])
  })

  test('others do, a cancellation by the service among them, and no text of theirs is passed on unread', async () => {
    for (const code of [
      status.UNKNOWN,
      status.INTERNAL,
      status.UNAVAILABLE,
      status.CANCELLED,
      status.UNIMPLEMENTED,
      status.PERMISSION_DENIED,
      99,
    ]) {
      const { url, seen } = await serve((_call, answer) => answer({ code, details: `bad\u001b[31m\r\n${'x'.repeat(3000)}` }))
      const parser = await guard(url)
      for (let turn = 0; turn < 5; turn++) {
        const { reason, message } = await failureOf(parser.parse('x', 'x'))
        expect(reason, String(code)).toBe(turn < 3 ? 'fault' : 'open')
        expect(message).toMatch(/^[^\p{Cc}]{10,300}$/u)
      }
      expect([parser.state, seen.calls]).toEqual(['open', 3])
    }
  })
})

test('G11: 5 MB of code are too large to send, and the circuit stays closed', async () => {
  const { url, seen } = await serve((_call, answer) => answer(null, { verdict: 'VALID', trace: [] }))
  const parser = await guard(url)
  for (const source of [
    'x'.repeat(5e6),
    '\u00e4'.repeat(2.5e6),
    '\u4e2d'.repeat(2e6),
    '\ud83d\ude00'.repeat(1.2e6),
    'x'.repeat(4 * 1024 * 1024),
  ]) {
    for (let turn = 0; turn < 3; turn++) expect(await failureOf(parser.parse('x', source))).toMatchObject({ reason: 'too-large' })
  }
  expect([parser.state, seen.calls]).toEqual(['closed', 0])
  expect(await parser.parse('x', 'x'.repeat(4 * 1024 * 1024 - 100))).toEqual({ verdict: 'valid' })
})

describe('G12: messages over the limit', () => {
  test('a reply over the limit is a fault', async () => {
    const fault = { line: 1, column: 1, endLine: 1, endColumn: 1, message: 'x'.repeat(5e6), suggestion: '' }
    const { url } = await serve((_call, answer) => answer(null, { verdict: 'INVALID', trace: [fault] }))
    const failure = await failureOf(connect({ url }).parse('x', 'x'))
    expect(failure).toMatchObject({ reason: 'fault', message: expect.stringContaining('the reply of the parser service is too large') })
  })

  /** Half a gigabyte of zeros. */
  const bomb = Buffer.concat(Array.from({ length: 16 }, () => gzipSync(Buffer.alloc(32 * 1024 * 1024))))
  const frame = Buffer.concat([Buffer.from([1]), Buffer.alloc(4), bomb])
  frame.writeUInt32BE(bomb.length, 1)

  test('a compressed bomb as reply is a fault, and memory stays bounded', async () => {
    const server = createHttp2().on('stream', (stream) => {
      stream.on('error', () => {})
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-encoding': 'gzip' })
      stream.end(frame)
    })
    const port = await listening(server)
    const before = process.memoryUsage().rss
    expect(await failureOf(connect({ url: `grpc://127.0.0.1:${port}`, timeoutMs: 20_000 }).parse('x', 'x'))).toMatchObject({
      reason: 'fault',
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
  })
})

describe('G13: something else on the port', () => {
  const random = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7919 + 13) % 251))
  test.each<[string, () => NetServer]>([
    ['an HTTP/1 server', () => createHttp((_request, response) => response.end('hello')) as unknown as NetServer],
    [
      'a TLS server',
      () => createTls({ cert: certificate.cert, key: certificate.key }, (socket) => socket.on('error', () => {}).end('hello')),
    ],
    ['random bytes', () => createServer((socket) => void socket.on('error', () => {}).write(random))],
    ['a server that hangs up', () => createServer((socket) => void socket.destroy())],
    ['a server that says nothing', () => createServer((socket) => void socket.on('error', () => {}))],
    ['an HTTP/2 server', () => createHttp2((_request, response) => response.end('hello')) as unknown as NetServer],
  ])('%s is a fault that the breaker counts', async (_, start) => {
    const port = await listening(start())
    const parser = await openParser(parserSettings({ url: `grpc://127.0.0.1:${port}`, timeout: 0.5 }, { env: {}, folder: '.' }))
    closing.push(parser.close)
    for (let turn = 0; turn < 3; turn++) expect(await failureOf(parser.parse('x', 'x'))).toMatchObject({ reason: 'fault' })
    expect(parser.state).toBe('open')
  })

  test('plain text to a TLS service, and TLS to a plain one', async () => {
    const secure = await startParserService({ parser: fakeParser(), tls: certificate })
    const plain = await startParserService({ parser: fakeParser() })
    closing.push(
      () => secure.close(0),
      () => plain.close(0),
    )
    for (const url of [`grpc://127.0.0.1:${secure.port}`, `grpcs://localhost:${plain.port}`]) {
      expect(await failureOf(connect({ url, ca: certificate.cert, timeoutMs: 1000 }).parse('x', 'x'))).toMatchObject({ reason: 'fault' })
    }
    expect(await connect({ url: `grpc://127.0.0.1:${plain.port}` }).parse('x', 'x')).toEqual({ verdict: 'valid' })
  })
})

test('K10: a connection that died unnoticed is replaced after two calls', async () => {
  const { port } = await serve((_call, answer) => answer(null, { verdict: 'VALID', trace: [] }))
  let isDead = false
  const relay = createServer((near) => {
    const far = openSocket(port, '127.0.0.1')
    // What was connected before it died stays open, and nothing passes any more.
    const wasAlive = !isDead
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => void (wasAlive && isDead ? undefined : to.write(bytes)))
      from.on('error', () => {}).on('close', () => to.destroy())
    }
  })
  const client = connect({ url: `grpc://127.0.0.1:${await listening(relay)}`, timeoutMs: 2000 })
  expect(await client.parse('x', 'x')).toEqual({ verdict: 'valid' })
  isDead = true
  for (let turn = 0; turn < 2; turn++) expect(await failureOf(client.parse('x', 'x'))).toMatchObject({ reason: 'fault' })
  expect(await client.parse('x', 'x')).toEqual({ verdict: 'valid' })
})

test('the service outlives clients that are not gRPC', async () => {
  const service = await startParserService({ parser: fakeParser() })
  closing.push(() => service.close(0))
  for (const bytes of [
    'GET / HTTP/1.1\r\nhost: x\r\n\r\n',
    '\u0016\u0003\u0001',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u00ff\u00ff\u00ff',
  ]) {
    const socket = await new Promise<Socket>((resolve) => {
      const one = openSocket(service.port, '127.0.0.1', () => resolve(one))
      one.on('error', () => {})
    })
    socket.write(bytes, 'latin1')
    closing.push(() => socket.destroy())
  }
  expect(await connect({ url: `grpc://127.0.0.1:${service.port}` }).parse('x', 'x')).toEqual({ verdict: 'valid' })
})

async function listening(server: NetServer | ReturnType<typeof createHttp2>): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
