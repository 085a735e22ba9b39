import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that serves a gateway below a path. */
export interface PrefixProxy {
  readonly url: string
  /** Paths that are not below it, which were asked for nevertheless. */
  readonly strays: readonly string[]
  close(): Promise<void>
}

/** Starts a proxy that takes a prefix off the path, as one before several services does. */
export async function startPrefixProxy(target: string, prefix: string): Promise<PrefixProxy> {
  const strays: string[] = []
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? ''
    if (!path.startsWith(`${prefix}/`)) {
      strays.push(path)
      outgoing.writeHead(404).end()
      return
    }
    const { method, headers } = incoming
    const passed = request({ hostname, port, method, headers, path: path.slice(prefix.length) }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    strays,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
