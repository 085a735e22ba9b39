import type { Contract, Message } from '@stickler/core'
import type { AskSource, PipelineDefinition } from '@stickler/presets/internal'
import type { NodeTrace } from '../reply/node-trace.ts'
import type { QueryType } from '../reply/query-type.ts'
import { sourcesOf } from '../retrieval/passage-text.ts'
import type { RetrievedChunk } from '../retrieval/retriever.ts'
import type { ContractOf, RetriesLeft } from './contracts.ts'
import { promptOf } from './prompts.ts'
import type { PipelineState } from './state.ts'

/**
 * A request ready for generation: everything that a host needs to have the engine generate and
 * check the answer.
 */
export interface Prepared {
  readonly query: string
  readonly type: QueryType
  /** The search query; empty when there was none. */
  readonly search: string
  /** What the answer may cite: source N is chunk N. */
  readonly sources: readonly AskSource[]
  readonly chunks: readonly RetrievedChunk[]
  /** The conversation that the model is given; sources are fenced and numbered. */
  readonly prompt: readonly Message[]
  /** The contract of the type, with the retry that is left. */
  readonly contract: Contract
  /** The context for the contract's validators. */
  readonly context: { readonly sources: number }
  readonly retries: RetriesLeft
  /** How often the query was reformulated because its context was not relevant. */
  readonly reformulations: 0 | 1
  /** Absent when the context was not checked. */
  readonly context_relevant?: boolean
  /** Why passages could not be retrieved. */
  readonly retriever_failed?: string
  /** What the nodes have done so far. */
  readonly trace: readonly NodeTrace[]
  /** The state, to continue with in a graph. */
  readonly state: PipelineState
}

interface PreparedWith {
  readonly pipeline: PipelineDefinition
  readonly contractOf: ContractOf
}

/** What a state that is ready for its generation means for a host. */
export function preparedOf(state: PipelineState, { pipeline, contractOf }: PreparedWith): Prepared {
  const { query, search, chunks, trace, retry, context_relevant, retriever_failed } = state
  // A state that was not classified is treated like the safe default.
  const type = state.type === '' ? 'RETRIEVAL' : state.type
  const retries = retry === 'unspent' ? 1 : 0
  return {
    query,
    type,
    search,
    chunks,
    sources: sourcesOf(chunks),
    prompt: promptOf(state, pipeline),
    contract: contractOf(type, retries),
    context: { sources: chunks.length },
    retries,
    reformulations: trace.some(({ node }) => node === 'reformulate_with_hint') ? 1 : 0,
    ...(context_relevant === null ? {} : { context_relevant }),
    ...(retriever_failed === '' ? {} : { retriever_failed }),
    trace,
    state,
  }
}
