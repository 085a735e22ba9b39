import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { StopSignal } from '@stickler/core'
import type { JsonExtent } from '@stickler/core/internal'
import type { Logger } from './log.ts'
import type { ErrorBody } from './replies/error-bodies.ts'
import type { RequestOutcome } from './request-count.ts'
import type { RouteDescription } from './route-description.ts'

/**
 * The role of a key: clients call models and see their own runs, operators see everything and
 * cannot call models; without any keys, every caller is local.
 */
export type Role = 'client' | 'operator' | 'local'

/** The caller. */
export interface Identity {
  /** Name of the key; empty without keys. */
  readonly key: string
  readonly role: Role
}

/**
 * Who may use a route: `call` costs money and is for clients; `read` is for every key, and shows
 * clients their own runs; `operate` is for operators, and so is `probe`, unless on the operator
 * listener; `page` (the empty shell of the dashboard) and `open` (liveness) need no key.
 */
export type Access = 'call' | 'read' | 'operate' | 'probe' | 'page' | 'open'

/** How a request ended under its contract. */
export interface Ending {
  readonly contract: string
  readonly outcome: RequestOutcome
}

/** Most fields and items of a JSON body. */
export type BodyWidth = Omit<JsonExtent, 'depth'>

/** One request with its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The headers of the request. */
  readonly headers: IncomingHttpHeaders
  readonly method: string
  /** The path without its query, exactly as it was routed. */
  readonly path: string
  readonly query: URLSearchParams
  /** The values of `:name` in the route's pattern. */
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly identity: Identity
  /** For whom it counts where callers share something: the name of its key, or an address where there are no keys. */
  readonly caller: string
  readonly log: Logger
  /** Fires when the client disconnects, or the server shuts down. */
  readonly signal: StopSignal
  /** When the request arrived, on the monotonic clock. */
  readonly startedAt: number
  /** The outcome that a handler reports beside the status: a stream may fail after its 200. */
  ending: Ending | undefined
  /** Reads and parses the body as JSON; throws an HttpError when it is too large or wider than it may be, not JSON, or not an object. */
  json(widest?: BodyWidth): Promise<Readonly<Record<string, unknown>>>
  /** Reads the body as it is; throws an HttpError when it is too large or encoded. */
  bytes(): Promise<Buffer>
  /** The body as it was sent, once it has been read as JSON. */
  readonly source: string
}

/**
 * Handles a request; an HttpError or RunnerFailure that it throws becomes the error body of the
 * API.
 */
export type Handler = (exchange: Exchange) => Promise<void>

/** One route. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Exact, or with segments such as `:id`; with `/*` at its end for all paths below that no other route has. */
  readonly path: string
  readonly handler: Handler
  readonly access: Access
  /**
   * Called with a request that was rejected before it reached the handler; the rejection is sent
   * when it is done, or what it throws instead.
   */
  readonly refused?: (exchange: Exchange, thrown: unknown) => Promise<void>
  /** How errors are written; OpenAI's format when absent. */
  readonly errors?: ErrorBody
  /** What it takes and gives, for the OpenAPI document; every route of the gateway has one. */
  readonly description?: () => RouteDescription
}
