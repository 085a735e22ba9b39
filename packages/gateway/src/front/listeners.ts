import type { AddressInfo } from 'node:net'
import { type Keyring, onlyRole } from './access/keys.ts'
import { openToProbes } from './access/roles.ts'
import type { Access, Route } from './exchange.ts'
import { createHttpServer, type HttpServer, type HttpServerOptions } from './server.ts'
import type { LiveHttpSettings } from './settings.ts'

/** What the configuration says about listeners. */
interface ListenerSettings {
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
  readonly bodyLimit: number
  readonly inFlight: number
  readonly perKey: { readonly concurrency?: number }
  readonly origins: readonly string[]
  /** A listener for operators alone. */
  readonly admin?: { readonly host: string; readonly port: number }
}

/** The dependencies of listeners. */
interface ListenersOptions extends Pick<HttpServerOptions, 'log' | 'clock' | 'newId' | 'answered' | 'turn' | 'addressOf'> {
  readonly server: ListenerSettings
  readonly routes: readonly Route[]
  /** The currently valid keys, of every role. */
  readonly keys: Keyring
}

/** Where a gateway listens: one listener for all, or separate ones for clients and operators. */
interface Listeners extends Pick<HttpServer, 'draining' | 'inFlight' | 'drain' | 'close'> {
  /** Changes limits, names and origins for new requests; addresses stay. */
  configure(server: ListenerSettings): void
  /** Starts to listen; throws a ConfigurationError when one of the addresses cannot be used. */
  listen(): Promise<{ readonly url: string; readonly adminUrl?: string }>
}

/** What clients need. */
const forClients: ReadonlySet<Access> = new Set(['call', 'read', 'open'])

/** What operators need. */
const forOperators: ReadonlySet<Access> = new Set(['read', 'operate', 'probe', 'page', 'open'])

/** Makes the listeners of a configuration: with `admin`, client keys are rejected there, and operator keys on the other. */
export function createListeners({ server, routes, keys, ...common }: ListenersOptions): Listeners {
  const { host, port, admin } = server
  const settings = { ...forFront(server), host, port }
  if (admin === undefined) {
    const only = createHttpServer({ ...common, settings, keys, routes })
    return {
      ...only,
      configure: (next) => only.configure(forFront(next)),
      listen: async () => ({ url: urlOf(await only.listen()) }),
      get draining() {
        return only.draining
      },
      get inFlight() {
        return only.inFlight
      },
    }
  }
  const some = (access: ReadonlySet<Access>) => routes.filter((route) => access.has(route.access))
  const front = createHttpServer({ ...common, settings, keys: onlyRole(keys, 'client'), routes: some(forClients) })
  const back = createHttpServer({
    ...common,
    // Allowed names and origins of the client routes do not apply here.
    settings: { ...forAll(server), ...admin },
    keys: onlyRole(keys, 'operator'),
    openAccess: openToProbes,
    routes: some(forOperators),
  })
  return {
    configure(next) {
      front.configure(forFront(next))
      back.configure(forAll(next))
    },
    async listen() {
      const url = urlOf(await front.listen())
      try {
        return { url, adminUrl: urlOf(await back.listen()) }
      } catch (error) {
        await front.close(0)
        throw error
      }
    },
    get draining() {
      return front.draining
    },
    get inFlight() {
      return front.inFlight
    },
    drain: () => front.drain(),
    // Probes are answered until the last client is.
    close: (graceMs) => front.close(graceMs).then(() => back.close(0)),
  }
}

function forAll({ bodyLimit, inFlight, perKey }: ListenerSettings): LiveHttpSettings {
  return { maxBodyBytes: bodyLimit, maxInFlight: inFlight, maxCallsPerCaller: perKey.concurrency }
}

function forFront(server: ListenerSettings): LiveHttpSettings {
  return { ...forAll(server), allowedHosts: server.allowedHosts, allowedOrigins: server.origins }
}

function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
