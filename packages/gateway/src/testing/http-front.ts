import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '@stickler/core/internal'
import { pino } from 'pino'
import { createKeyring } from '../front/access/keys.ts'
import type { AnsweredRequest } from '../front/dispatcher.ts'
import type { Exchange, Handler, Route } from '../front/exchange.ts'
import { sendJson } from '../front/replies/json-response.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../front/server.ts'

/** An HTTP front that listens on a free port, with all that it told. */
export interface TestFront {
  readonly server: HttpServer
  readonly port: number
  /** Every line of its log, parsed. */
  readonly lines: Record<string, unknown>[]
  readonly answered: (AnsweredRequest & { readonly requestId: string })[]
  close(): Promise<void>
}

/** What a test may say about its front. */
interface TestFrontOptions extends Partial<Omit<HttpServerOptions, 'routes' | 'keys'>> {
  readonly keys?: string
  readonly operatorKeys?: string
}

/** Starts a front on a free port. */
export async function startFront(
  routes: readonly Route[],
  { keys = '', operatorKeys = '', settings, ...rest }: TestFrontOptions = {},
): Promise<TestFront> {
  const lines: Record<string, unknown>[] = []
  const answered: TestFront['answered'] = []
  let ids = 0
  const server = createHttpServer({
    routes,
    keys: createKeyring({ clients: keys, operators: operatorKeys }, () => Date.now()),
    log: pino({ level: 'debug' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    clock: systemClock,
    newId: () => `new-${++ids}`,
    answered: (exchange: Exchange, request) => answered.push({ ...request, requestId: exchange.requestId }),
    ...rest,
    settings: { port: 0, checkIntervalMs: 20, ...settings },
  })
  const { port } = await server.listen()
  return { server, port, lines, answered, close: () => server.close(0) }
}

/** A route that answers with what its handler got. */
export function echo(method: 'GET' | 'POST', path: string, more: Partial<Route> = {}): Route {
  const handler: Handler = async (exchange) => {
    const { params, query, identity, requestId } = exchange
    const body = method === 'POST' ? await exchange.json() : null
    sendJson(exchange, 200, { path: exchange.path, params, query: [...query], key: identity.key, requestId, body })
  }
  return { method, path, handler, access: 'read', ...more }
}

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A connection on which a test writes its own bytes. */
export class RawClient {
  readonly socket: Socket
  closed = false
  #chunks: Buffer[] = []

  constructor(port: number, options: { readonly allowHalfOpen?: boolean } = {}) {
    this.socket = connect({ ...options, port, host: '127.0.0.1' })
    this.socket.on('data', (chunk) => this.#chunks.push(chunk))
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      this.closed = true
    })
  }

  /** Everything that has come since the last `forget`. */
  get received(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0] ?? Buffer.alloc(0)
  }

  forget(): void {
    this.#chunks = []
  }

  send(bytes: string | Uint8Array): this {
    this.socket.write(bytes)
    return this
  }

  /** Waits until the answers are there. */
  async answers(count: number, ms = 5000): Promise<RawAnswer[]> {
    await until(() => this.closed || readAnswers(this.received).length >= count, ms)
    return readAnswers(this.received)
  }

  /** Waits until the other side has closed the connection, and gives all answers. */
  async end(ms = 5000): Promise<RawAnswer[]> {
    await until(() => this.closed, ms)
    return readAnswers(this.received)
  }
}

/** Sends bytes and gives the answers that came until the connection was closed, or the first `count`. */
export async function sendRaw(port: number, bytes: string | Uint8Array, count?: number): Promise<RawAnswer[]> {
  const client = new RawClient(port).send(bytes)
  try {
    return await (count === undefined ? client.end() : client.answers(count))
  } finally {
    client.socket.destroy()
  }
}

/** Writes a request. */
export function rawRequest(method: string, target: string, headers: readonly string[] = [], body?: string): string {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers]
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Waits until something holds. */
export async function until(holds: () => boolean, ms = 5000): Promise<void> {
  const end = performance.now() + ms
  while (!holds()) {
    if (performance.now() > end) throw new Error(`still not so after ${ms} ms: ${holds}`)
    await wait(5)
  }
}

/** Reads the whole answers at the beginning of what was received. */
function readAnswers(received: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  let rest = received.toString('latin1')
  for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]))
    const length = Number(headers.get('content-length') ?? 0)
    const status = Number(first.split(' ')[1])
    if (rest.length < end + 4 + length) break
    if (status !== 100) answers.push({ status, headers, body: Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString() })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
