import type { AskModel, Contract, Message, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'
import type { NodeTrace } from '../pipeline/node-trace.ts'
import type { QueryType } from '../pipeline/query-type.ts'
import type { AskProvider } from '../ports.ts'
import type { AskSource } from '../reply/envelope.ts'

export interface RelevanceVerdict {
  readonly relevant: boolean
  readonly strategy: 'lexical' | 'embedding' | 'llm'
  readonly score?: number
  readonly fallback?: string
}
export type RelevanceJudge = (query: string, passages: readonly string[], signal?: AbortSignal) => Promise<RelevanceVerdict>
export interface PipelineRequest {
  readonly query: string
  readonly history?: readonly Message[]
  readonly type?: QueryType
  readonly sources?: readonly AskSource[]
  readonly signal?: AbortSignal
  readonly onNode?: (trace: NodeTrace) => void
  readonly classifier?: AskModel
  readonly reformulation?: AskModel
  readonly relevance?: RelevanceJudge
}
export interface Prepared {
  readonly type: QueryType
  readonly sources: readonly AskSource[]
  readonly prompt: readonly Message[]
  readonly contract: Contract
  readonly reformulations: 0 | 1
  readonly context_relevant?: boolean
  readonly retriever_failed?: string
  readonly trace: readonly NodeTrace[]
}

/** What questions without sources of their own, or with a type, go through before they are put to a provider. */
export interface AskPipeline {
  /** Classifies, retrieves and judges the context; the same for every request. */
  prepare(request: PipelineRequest): Promise<Prepared>
  /** Models that prepare questions, in place of what the pipeline has without them; each call is guarded, counted and paid for by its question. */
  readonly classifier?: AskProvider
  readonly reformulation?: AskProvider
  readonly relevance?: { readonly provider: AskProvider; judge(model: AskModel): RelevanceJudge }
  /** What the contracts of the types need, such as the parser. */
  readonly ports?: Ports
  /** Checks large answers in another place, with the same ports. */
  readonly executor?: Executor
}
