import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StopSignal } from '@stickler/core'
import type { Logger } from './log.ts'
import type { ErrorBody } from './replies/client-error.ts'
import type { RequestOutcome } from './request-count.ts'
import type { RouteDescription } from './route-description.ts'

/** What a key is for: clients call models and see what is theirs, operators see everything and call nothing; without any keys, everybody is local. */
export type Role = 'client' | 'operator' | 'local'

/** Who is asking. */
export interface Identity {
  /** Name of the key; empty without keys. */
  readonly key: string
  readonly role: Role
}

/**
 * Who may use a route: `call` costs something and is for clients; `read` is for every key, and shows clients what is theirs; `operate` is for operators,
 * and so is `probe`, unless the listener is for operators alone; `page` (the empty shell of the dashboard) and `open` (liveness) need no key.
 */
export type Access = 'call' | 'read' | 'operate' | 'probe' | 'page' | 'open'

/** How a request ended under its contract. */
export interface Ending {
  readonly contract: string
  readonly outcome: RequestOutcome
}

/** One request with its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** The path without its query, exactly as it was routed. */
  readonly path: string
  readonly query: URLSearchParams
  /** What stands in the place of `:name` in the route's pattern. */
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly identity: Identity
  readonly log: Logger
  /** Fires when the client has gone, or the server must end. */
  readonly signal: StopSignal
  /** When the request came, on the clock that never goes back. */
  readonly startedAt: number
  /** What a handler knows of its end beside the status: a stream may fail after its 200. */
  ending: Ending | undefined
  /** Reads and parses the body as JSON; throws an HttpError when it is too large, not JSON, or not an object. */
  json(): Promise<Readonly<Record<string, unknown>>>
  /** Reads the body as it is; throws an HttpError when it is too large or encoded. */
  bytes(): Promise<Buffer>
  /** The body as it was sent, once it has been read as JSON. */
  readonly source: string
}

/** Answers a request; an HttpError or RunnerFailure that it throws becomes the error body of the API. */
export type Handler = (exchange: Exchange) => Promise<void>

/** One way in. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** Exact, or with segments such as `:id`. */
  readonly path: string
  readonly handler: Handler
  readonly access: Access
  /** Told of a request that was refused before it reached the handler; the refusal is sent when it is done, or what it throws instead. */
  readonly refused?: (exchange: Exchange, thrown: unknown) => Promise<void>
  /** How errors are written; the OpenAI shape when absent. */
  readonly errors?: ErrorBody
  /** What it takes and gives, for the OpenAPI document; every route of the gateway has one. */
  readonly description?: () => RouteDescription
}
