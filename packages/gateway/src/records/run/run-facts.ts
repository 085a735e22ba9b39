import type { NodeTrace } from '@stickler/ask/pipeline'
import type { TraceListener, Usage } from '@stickler/core'
import type { UpstreamCall } from '../../upstreams/upstream.ts'
import type { UpstreamPlace } from '../../upstreams/upstream-place.ts'

/** What is known of the runs of a request before they begin. */
export interface RunFacts {
  readonly api: string
  readonly contract: string
  /** The model that the client asked for. */
  readonly model: string
  /** Where answers may come from, in the order in which they are asked. */
  readonly places: readonly CalledPlace[]
  /** Whether the answer is streamed, where that is known at the beginning. */
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
  /** What the model is called there; as the client calls it when absent. */
  readonly model?: string
}

/** Follows the runs of one request. */
export interface RequestTrace {
  /** Listens to one choice; `call` tells which call it reads or has read last. */
  listen(choice: number, call: () => Pick<UpstreamCall, 'head' | 'upstream'> | undefined): TraceListener
  /** Headers by which a provider continues the trace of what a choice does now. */
  headers(choice: number): Readonly<Record<string, string>>
}

/** What is known of a request that is passed on as it is. */
export interface PassedFacts extends Pick<RunFacts, 'model' | 'places' | 'body' | 'headers' | 'requestId'> {
  /** In the words of the conventions where they have one, such as `embeddings`. */
  readonly operation: string
}

/** Follows a request that is passed on. */
export interface PassedTrace {
  /** Headers by which the provider continues the trace. */
  readonly headers: Readonly<Record<string, string>>
  failed(thrown: unknown): void
  end(usage: Usage | undefined): void
}

/** Starts to follow requests. */
export interface Tracing {
  run(facts: RunFacts): RequestTrace
  pass(facts: PassedFacts): PassedTrace
}
