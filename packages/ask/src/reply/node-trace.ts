import type { ReasonCode } from '@stickler/core/internal'
import type { RetrievedChunk } from '../retrieval/retriever.ts'
import type { QueryType } from './query-type.ts'

/** The names of the graph's nodes, as in the design. */
export const nodeNames = [
  'classify',
  'reformulate',
  'retrieve',
  'check_context_relevance',
  'reformulate_with_hint',
  'generate',
  'generate_code',
  'validate_code',
  'generate_code_retry',
  'respond_conversational',
  'respond_platform',
] as const

/** One node of the graph. */
export type NodeName = (typeof nodeNames)[number]

/**
 * What one node did, for the trace of a run: plain data. Texts of queries are stored only where
 * texts are stored.
 */
export interface NodeTrace {
  readonly node: NodeName
  readonly ms: number
  /** Of `classify`: the type and what decided it. */
  readonly type?: { readonly is: QueryType; readonly by: 'request' | 'rule' | 'model' | 'default' }
  /** Of `reformulate` and `reformulate_with_hint`: the search query; a text. */
  readonly query?: string
  /**
   * Of `retrieve`: the results, best first; `ranks` are the positions in each search, which are not
   * stored.
   */
  readonly chunks?: readonly { readonly urn: string; readonly score: number; readonly ranks?: RetrievedChunk['ranks'] }[]
  /** Of `retrieve`: how many chunks were left out because the prompt would have been too large. */
  readonly left_out?: number
  /**
   * Of `check_context_relevance`: the verdict. `fallback` when the configured strategy could not be
   * used.
   */
  readonly relevance?: {
    readonly relevant: boolean
    readonly strategy: 'lexical' | 'embedding' | 'llm'
    readonly score?: number
    readonly fallback?: string
  }
  /** Of `generate` and the responding nodes: number of model calls. */
  readonly attempts?: number
  /** Of `validate_code`: the verdict. */
  readonly verdict?: 'VALID' | 'INVALID' | 'UNAVAILABLE'
  /** Why it was degraded; the answer was given anyway. */
  readonly degraded?: string
  /** What of the reason, or of `relevance.fallback`, is a fact of our own: never words of a query or of a service. */
  readonly codes?: readonly ReasonCode[]
}

/** Called with what a node did, when it has ended. */
export type NodeListener = (trace: NodeTrace) => void
