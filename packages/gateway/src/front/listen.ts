import type { AddressInfo, Server } from 'node:net'
import { ConfigurationError } from '@stickler/core'

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not an address of this machine',
  ENOTFOUND: 'has a host name that nobody knows',
}

/** Starts to listen, and says in one sentence when that is not possible. */
export function listenOn(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const reason = reasons[error.code ?? ''] ?? `cannot be listened on (${error.code ?? 'unknown reason'})`
      reject(new ConfigurationError([{ message: `${host}:${port} ${reason}`, path: ['port'] }]))
    }
    server.once('error', fail)
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1'), port }, () => {
      server.off('error', fail)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new TypeError('not listening on a port'))
      else resolve(address)
    })
  })
}
