import type { RetrievedChunk } from '../retrieval/retriever.ts'
import type { QueryType } from './query-type.ts'

/** The nodes of the graph, by the names that the design gives them. */
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

/** What one node did, for the trace of a run: plain data. Texts of queries are kept only where texts are kept. */
export interface NodeTrace {
  readonly node: NodeName
  readonly ms: number
  /** Of `classify`: the type and what decided it. */
  readonly type?: { readonly is: QueryType; readonly by: 'request' | 'rule' | 'model' | 'default' }
  /** Of `reformulate` and `reformulate_with_hint`: the query as it was looked up; a text. */
  readonly query?: string
  /** Of `retrieve`: what was found, best first; `ranks` are the places in each half, which are not kept. */
  readonly chunks?: readonly { readonly urn: string; readonly score: number; readonly ranks?: RetrievedChunk['ranks'] }[]
  /** Of `retrieve`: how many chunks were left out because the prompt would have been too large. */
  readonly left_out?: number
  /** Of `check_context_relevance`: the verdict. `fallback` when the strategy that was wanted could not be used. */
  readonly relevance?: {
    readonly relevant: boolean
    readonly strategy: 'lexical' | 'embedding' | 'llm'
    readonly score?: number
    readonly fallback?: string
  }
  /** Of `generate` and the nodes that respond: how often the model was asked. */
  readonly attempts?: number
  /** Of `validate_code`: the verdict. */
  readonly verdict?: 'VALID' | 'INVALID' | 'UNAVAILABLE'
  /** Why it could not do all of its work; the answer was given all the same. */
  readonly degraded?: string
}

/** Hears what a node did, when it has ended. */
export type NodeListener = (trace: NodeTrace) => void
