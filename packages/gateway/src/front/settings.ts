/** How the HTTP front behaves; every number is a limit. */
export interface HttpSettings {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly maxBodyBytes: number
  /** Brackets and braces within each other in a JSON body. */
  readonly maxDepth: number
  /** Requests that are worked on at once; one more is refused, never queued. */
  readonly maxInFlight: number
  readonly maxConnections: number
  /** Of the request line and all headers together. */
  readonly maxHeaderBytes: number
  readonly maxHeaders: number
  /** Characters of path and query. */
  readonly maxTargetLength: number
  readonly headersTimeoutMs: number
  /** For headers and body together. */
  readonly requestTimeoutMs: number
  /** How often the two limits above are looked at. */
  readonly checkIntervalMs: number
  readonly keepAliveTimeoutMs: number
  /** How long a client may leave an answer unread. */
  readonly writeIdleMs: number
  /** Names, with or without port, by which the gateway may be called: beside loopback names when there are no keys; with keys any name will do while the list is empty. */
  readonly allowedHosts: readonly string[]
  /** Origins of web pages that may call the gateway, such as `https://chat.example`. */
  readonly allowedOrigins: readonly string[]
}

/** The settings that can change while a server listens. */
export type LiveHttpSettings = Partial<Pick<HttpSettings, 'maxBodyBytes' | 'maxInFlight' | 'allowedHosts' | 'allowedOrigins'>>

/** What holds where nothing else is said. */
export const defaultHttpSettings: HttpSettings = {
  host: '127.0.0.1',
  port: 8080,
  maxBodyBytes: 4 * 1024 * 1024,
  maxDepth: 256,
  maxInFlight: 512,
  maxConnections: 10_000,
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 128,
  maxTargetLength: 8 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkIntervalMs: 2_000,
  // Longer than the minute for which load balancers keep idle connections, so that they never send into a closing one.
  keepAliveTimeoutMs: 65_000,
  writeIdleMs: 30_000,
  allowedHosts: [],
  allowedOrigins: [],
}
