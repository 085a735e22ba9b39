/** The settings of the HTTP server; every number is a limit. */
export interface HttpSettings {
  readonly host: string
  /** 0 picks any free port. */
  readonly port: number
  readonly maxBodyBytes: number
  /** Maximum nesting of brackets and braces in a JSON body. */
  readonly maxDepth: number
  /** Requests in progress at once; one more is rejected, never queued. */
  readonly maxInFlight: number
  /** Requests of one caller that are calls; without a limit where absent. */
  readonly maxCallsPerCaller?: number | undefined
  readonly maxConnections: number
  /** Of the request line and all headers together. */
  readonly maxHeaderBytes: number
  readonly maxHeaders: number
  /** Characters of path and query. */
  readonly maxTargetLength: number
  readonly headersTimeoutMs: number
  /** For headers and body together. */
  readonly requestTimeoutMs: number
  /** How often the two limits above are checked. */
  readonly checkIntervalMs: number
  readonly keepAliveTimeoutMs: number
  /** How long a client may leave a reply unread. */
  readonly writeIdleMs: number
  /**
   * Host names, with or without port, that clients may use: in addition to loopback names when
   * there are no keys; with keys any name is allowed while the list is empty.
   */
  readonly allowedHosts: readonly string[]
  /** Origins of web pages that may call the gateway, such as `https://chat.example`. */
  readonly allowedOrigins: readonly string[]
}

/** The settings that can change while a server listens. */
export type LiveHttpSettings = Partial<
  Pick<HttpSettings, 'maxBodyBytes' | 'maxInFlight' | 'maxCallsPerCaller' | 'allowedHosts' | 'allowedOrigins'>
>

/** The defaults. */
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
  // Longer than the minute for which load balancers keep idle connections, so that they never send
  // into a closing one.
  keepAliveTimeoutMs: 65_000,
  writeIdleMs: 30_000,
  allowedHosts: [],
  allowedOrigins: [],
}
