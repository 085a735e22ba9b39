import { lookup } from 'node:dns/promises'
import { createServer, type Socket, type Server as SocketServer } from 'node:net'
import { type Server, ServerCredentials } from '@grpc/grpc-js'
import { Connections } from '../services/connections.ts'
import { oneLine } from './one-line.ts'

/** The certificate of a service and its key, as PEM texts. */
export interface TlsTexts {
  readonly cert: string
  readonly key: string
}

/** Thrown when a service cannot listen: its address, certificate or key is wrong. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen'
}

/** Where a service listens. */
export interface ListenSettings {
  readonly host: string
  readonly port: number
  readonly tls?: TlsTexts | undefined
  /** The addresses of a name; those of the system unless given. */
  readonly addressesOf?: ((name: string) => Promise<readonly string[]>) | undefined
}

/** Connections of all clients. */
const mostConnections = 1000

/** Where a server listens. */
export interface Listener {
  /** The port that was taken. */
  readonly port: number
  /** Accepts no more connections. */
  close(): void
  /** Settles when no connection is left. */
  idle(): Promise<void>
  /** Closes those that are left, also those that never became a session. */
  destroy(): void
}

async function addressesInSystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

/** Lets a server listen on all addresses of a host that this machine has; `isBusy` returns whether a call of a peer is running, whose connection is not closed for others. */
export async function listen(
  server: Server,
  { host, port, tls, addressesOf = addressesInSystem }: ListenSettings,
  isBusy: (peer: string) => boolean,
  most = mostConnections,
): Promise<Listener> {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const address = `${name.includes(':') ? `[${name}]` : name}:${port}`
  const open: SocketServer[] = []
  const alive = new Set<Socket>()
  const waiting: (() => void)[] = []
  const close = (): void => {
    for (const sockets of open) sockets.close()
  }
  try {
    // gRPC by itself takes any number of connections.
    const connections = new Connections(
      most,
      () =>
        ({ remoteAddress, remotePort }) =>
          isBusy(`${remoteAddress}:${remotePort}`),
    )
    const injector = server.createConnectionInjector(credentialsOf(tls))
    let taken = port
    let missing: unknown
    for (const one of new Set(await addressesOf(name))) {
      const sockets = createServer((socket) => {
        connections.add(socket)
        alive.add(socket)
        socket.once('close', () => {
          alive.delete(socket)
          if (alive.size === 0) for (const settle of waiting.splice(0)) settle()
        })
        if (!socket.destroyed) injector.injectConnection(socket)
      })
      try {
        taken = await bind(sockets, one, taken)
        open.push(sockets)
      } catch (error) {
        // A name such as `localhost` often has an address of a family that the machine does not use.
        if (!absent.test(String(error))) throw error
        missing = error
      }
    }
    if (open.length === 0) throw missing ?? new Error('ENOTFOUND')
    const idle = (): Promise<void> => new Promise((resolve) => (alive.size === 0 ? resolve() : waiting.push(resolve)))
    return { port: taken, close, idle, destroy: () => connections.destroy() }
  } catch (error) {
    close()
    throw new CannotListen(`cannot listen on ${address}: ${whyNot(error)}`, { cause: error })
  }
}

const absent = /EADDRNOTAVAIL|EAFNOSUPPORT/

/** Resolves with the port that was taken. */
function bind(sockets: SocketServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    sockets.once('error', reject)
    sockets.listen({ host, port }, () => {
      const bound = sockets.address()
      // Too many open files: open connections go on, others are accepted later.
      sockets.on('error', () => {})
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port)
    })
  })
}

/** What gRPC reports around the code of the system. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/EADDRINUSE/, 'the port is in use; choose another with --port or in the configuration'],
  [/EACCES/, 'permission denied'],
  [/EADDRNOTAVAIL|EAFNOSUPPORT|ENOTFOUND|EAI_AGAIN|Name resolution failed/, 'this machine has no such address'],
  [/PEM|ASN1|asn1|X509|x509|key values mismatch/, 'the certificate or its key is wrong'],
]

function whyNot(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return reasons.find(([pattern]) => pattern.test(message))?.[1] ?? oneLine(message, 200)
}

function credentialsOf(tls: TlsTexts | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure()
  return ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) }])
}
