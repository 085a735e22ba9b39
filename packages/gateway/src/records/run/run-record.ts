import type { NodeTrace } from '@stickler/ask/pipeline'
import type { Certificate, Issue, Unchecked, Usage } from '@stickler/core'

/** The ways in beside the APIs of models. */
export const ownWays: readonly string[] = ['ask', 'check', 'grpc']

/** What a way in is called: the name of an API, or one of `ownWays`. */
export type ApiName = string

/** What log lines about a run are found by. */
export interface RunNames {
  readonly requestId: string
  readonly run: string
  readonly contract: string
  readonly model: string
}

/** One attempt of a run. */
export interface AttemptRecord {
  readonly number: number
  readonly call: 'run' | 'continue'
  readonly ms: number
  readonly finishReason?: string
  readonly usage?: Usage
  /** What the checks found in it. */
  readonly issues: readonly Issue[]
  /** Where it was stopped, when it was. */
  readonly stoppedAt?: number
  /** What was decided on it; `failed` when the call brought no answer. */
  readonly decision?: string
  /** The kind of failure of a call that brought no answer. */
  readonly failure?: string
  /** Whether the command session that the attempt was to resume was found. */
  readonly resumption?: 'resumed' | 'forgotten'
  /** The end of what a command wrote to its error stream, without secrets; where the store keeps no text, only its size and what is known to go wrong. */
  readonly stderr?: string
  /** Only when the store keeps text. */
  readonly text?: string
  /** Only when the store keeps text. */
  readonly feedback?: string
}

/** Everything that is kept of one enforced answer. */
export interface RunRecord {
  /** Unique; sorts by time. */
  readonly id: string
  /** The request that it belongs to; several choices share one. */
  readonly requestId: string
  readonly choice: number
  /** The session that the client named. */
  readonly session?: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly ms: number
  /** Milliseconds to the first released text of a stream. */
  readonly firstTextMs?: number
  readonly api: ApiName
  readonly stream: boolean
  /** The model that the client asked for. */
  readonly model: string
  readonly upstream: string
  readonly upstreamModel: string
  readonly contract: string
  /** Name of the API key; empty without keys. */
  readonly key: string
  readonly status: 'valid' | 'repaired' | 'unresolved' | 'unchecked' | 'failed' | 'unenforced'
  readonly reason: string
  readonly httpStatus: number
  readonly attempts: readonly AttemptRecord[]
  /** What remains. */
  readonly issues: readonly Issue[]
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
  readonly unchecked: readonly Unchecked[]
  /** Over all attempts. */
  readonly usage: Usage
  /** What the answer says of itself, as far as it is declared to be kept, such as the `step` of a session. */
  readonly facts?: Readonly<Record<string, string>>
  /** The beginning of what was asked, only when the store keeps text. */
  readonly request?: string
  readonly failure?: { readonly kind: string; readonly message: string; readonly status?: number }
  /** Whether the client got the text as its answer; absent where no model was asked, and in runs that an earlier version has kept. */
  readonly delivered?: boolean
  /** The way through the graph, on routes with a pipeline; queries only when the store keeps text. */
  readonly pipeline?: readonly NodeTrace[]
  /** The last text, only when the store keeps text. */
  readonly text?: string
}

/** One row of the audit of `/ask`, as the library builds it. */
export type AuditRow = Readonly<Record<string, unknown>>

/** Takes what is to be kept; a promise settles when it can no longer be lost by the end of this process. */
export interface Recorder {
  run(record: RunRecord): Promise<void>
  audit(row: AuditRow): Promise<void>
}
