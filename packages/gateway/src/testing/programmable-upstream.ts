import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'

/** What is known of a request that the upstream has received. */
export interface RecordedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** Names and values in turn, exactly as they were sent. */
  readonly rawHeaders: readonly string[]
  readonly body: string
  /** The body as JSON; undefined for anything else. */
  readonly json: Readonly<Record<string, unknown>> | undefined
  /** Milliseconds on the clock of the process. */
  readonly at: number
  /** Counts connections from 1. */
  readonly connection: number
  /** When its connection was closed; undefined as long as it is open. */
  readonly closedAt: number | undefined
  /** Whether the connection was closed before the response was complete. */
  readonly aborted: boolean
  /** How often the reader was too slow, so that writing had to wait. */
  readonly pauses: number
  /** Settles when the connection is closed. */
  readonly closed: Promise<void>
}

/** One request with its response, as a behaviour is given it. */
export interface UpstreamExchange {
  readonly request: RecordedRequest
  readonly response: ServerResponse
  readonly socket: Socket
  /** Counts all requests from 0. */
  readonly number: number
  /** Writes and waits until it may go on; false when nobody reads any more. */
  write(bytes: string | Uint8Array): Promise<boolean>
  /** Waits, but not longer than the connection lives. */
  wait(ms: number): Promise<void>
}

/** Answers a request, or fails to. */
export type Behaviour = (exchange: UpstreamExchange) => void | Promise<void>

/** A real HTTP server on loopback that follows a script. */
export interface ProgrammableUpstream {
  /** Such as `http://127.0.0.1:4711`. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** How many connections were made. */
  readonly connections: number
  /** The next requests are answered by these, one each, before anything else counts. */
  enqueue(...behaviours: readonly Behaviour[]): void
  /** Requests whose last user message, or `x-behaviour` header, holds the marker are answered by this one. */
  on(marker: string, behaviour: Behaviour): void
  /** All other requests are answered by this one. */
  otherwise(behaviour: Behaviour): void
  /** Closes connections that wait for a next request. */
  closeIdle(): void
  close(): Promise<void>
}

type Recording = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }

/** Starts a programmable upstream on a free port. */
export async function startProgrammableUpstream(fallback: Behaviour, { keepAliveMs = 60_000 } = {}): Promise<ProgrammableUpstream> {
  const requests: Recording[] = []
  const queue: Behaviour[] = []
  const markers = new Map<string, Behaviour>()
  const numbers = new WeakMap<Socket, number>()
  let connections = 0
  let otherwise = fallback

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const number = requests.length
    const record = recordOf(incoming, numbers.get(incoming.socket) ?? 0)
    requests.push(record)
    watch(incoming.socket, response, record)
    record.body = await readBody(incoming)
    record.json = parse(record.body)
    const behaviour = queue.shift() ?? marked(record) ?? otherwise
    await behaviour(exchangeOf(record, response, number))
  }

  function marked({ json, headers }: RecordedRequest): Behaviour | undefined {
    const said = `${lastUserText(json)}\n${String(headers['x-behaviour'] ?? '')}`
    for (const [marker, behaviour] of markers) if (said.includes(marker)) return behaviour
    return undefined
  }

  const server = createServer({ keepAliveTimeout: keepAliveMs }, (incoming, response) => {
    response.on('error', () => {})
    handle(incoming, response).catch(() => response.destroy())
  })
  server.on('connection', (socket: Socket) => {
    socket.setNoDelay(true)
    // One for every request of a connection that is kept.
    socket.setMaxListeners(0)
    socket.on('error', () => {})
    connections++
    numbers.set(socket, connections)
  })
  const url = await listen(server)
  return {
    url,
    requests,
    get connections() {
      return connections
    },
    enqueue: (...behaviours) => void queue.push(...behaviours),
    on: (marker, behaviour) => void markers.set(marker, behaviour),
    otherwise(behaviour) {
      otherwise = behaviour
    },
    closeIdle: () => server.closeIdleConnections(),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** The address of a port that nobody listens on. */
export async function closedPort(): Promise<string> {
  const server = createTcpServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function recordOf(incoming: IncomingMessage, connection: number): Recording {
  const { method = '', url = '', headers, rawHeaders } = incoming
  const common = { method, path: url, headers, rawHeaders, connection, body: '', json: undefined, closedAt: undefined }
  return { ...common, at: performance.now(), aborted: false, pauses: 0, closed: Promise.resolve() }
}

function watch(socket: Socket, response: ServerResponse, record: Recording): void {
  record.closed = new Promise((resolve) => {
    socket.once('close', () => {
      record.closedAt = performance.now()
      record.aborted = !response.writableFinished
      resolve()
    })
  })
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

function exchangeOf(record: Recording, response: ServerResponse, number: number): UpstreamExchange {
  const { socket } = response
  if (socket === null) throw new Error('the connection is gone')
  const gone = (): boolean => socket.destroyed || response.writableEnded
  return {
    request: record,
    response,
    socket,
    number,
    async write(bytes) {
      if (gone()) return false
      if (response.write(bytes)) return true
      record.pauses++
      await Promise.race([once(response, 'drain').catch(() => {}), record.closed])
      return !gone()
    },
    async wait(ms) {
      let timer: NodeJS.Timeout | undefined
      const passed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      })
      await Promise.race([passed, record.closed])
      clearTimeout(timer)
    },
  }
}

function parse(text: string): RecordedRequest['json'] {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function lastUserText(json: RecordedRequest['json']): string {
  const messages: unknown = json?.messages
  const last: unknown = Array.isArray(messages) ? messages.findLast((message) => message?.role === 'user')?.content : json?.input
  return typeof last === 'string' ? last : JSON.stringify(last ?? '')
}
