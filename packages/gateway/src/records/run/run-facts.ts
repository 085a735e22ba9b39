import type { NodeTrace } from '@stickler/ask/pipeline'

/** What is known of a run before it begins; names only, never content. */
export interface RunFacts {
  readonly api: string
  readonly contract: string
  /** The model that the client asked for. */
  readonly model: string
  readonly upstream: string
  readonly upstreamModel: string
  readonly stream: boolean
  readonly requestId: string
  /** What a pipeline did before the run. */
  readonly nodes?: readonly NodeTrace[]
}
