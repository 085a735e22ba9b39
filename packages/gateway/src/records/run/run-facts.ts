import type { NodeTrace } from '@stickler/ask/pipeline'
import type { TraceListener, Usage } from '@stickler/core'
import type { UpstreamCall } from '@stickler/core/internal/relay'
import type { UpstreamPlace } from '../../upstreams/upstream-place.ts'

/** What is known about the runs of a request before they start. */
export interface RunFacts {
  readonly api: string
  readonly contract: string
  /** The model that the client requested. */
  readonly model: string
  /** The upstreams that may answer, in the order in which they are called. */
  readonly places: readonly CalledPlace[]
  /** Whether the answer is streamed, if that is known at the start. */
  readonly stream?: boolean
  readonly requestId: string
  /** The session that the client named. */
  readonly session?: string | undefined
  /** The body of the request, for its parameters; its content is not traced. */
  readonly body: Readonly<Record<string, unknown>>
  /** The headers of the client, whose trace is continued. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** What a pipeline did before the run. */
  readonly nodes?: readonly NodeTrace[]
}

/** One of the upstreams of a route. */
export interface CalledPlace extends UpstreamPlace {
  /** The name of the model there; as the client named it when absent. */
  readonly model?: string
}

/** Traces the runs of one request. */
export interface RequestTrace {
  /** Traces one choice; `call` returns the call that it reads, or read last. */
  listen(choice: number, call: () => Pick<UpstreamCall, 'head' | 'upstream'> | undefined): TraceListener
  /** Headers with which the provider continues the trace of the current call. */
  headers(choice: number): Readonly<Record<string, string>>
}

/** What is known about a request that is passed on unchanged. */
export interface PassedFacts extends Pick<RunFacts, 'model' | 'places' | 'body' | 'headers' | 'requestId'> {
  /** The name from the OpenTelemetry conventions if there is one, such as `embeddings`. */
  readonly operation: string
}

/** Traces a request that is passed on. */
export interface PassedTrace {
  /** Headers with which the provider continues the trace. */
  readonly headers: Readonly<Record<string, string>>
  failed(thrown: unknown): void
  end(usage: Usage | undefined): void
}

/** Starts the traces of requests. */
export interface Tracing {
  run(facts: RunFacts): RequestTrace
  pass(facts: PassedFacts): PassedTrace
}
