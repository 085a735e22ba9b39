import type { Message } from '@stickler/core'
import type { RetrievedChunk } from '../retrieval/retriever.ts'
import type { QueryType } from './query-type.ts'

/** Whether the one retry of a request can still be used. */
export type RetryBudget = 'unspent' | 'spent'

/** What the nodes pass on: plain data, so that a graph can store it. The budget is part of the type: what spends it takes `unspent` and gives `spent`. */
export interface PipelineState<Budget extends RetryBudget = RetryBudget> {
  /** What the user asked, as it was asked. */
  readonly query: string
  /** Turns before the query, oldest first. */
  readonly history: readonly Message[]
  /** Empty until the request was classified; a request may name it. */
  readonly type: QueryType | ''
  /** The query as it is looked up; empty until it was reformulated. */
  readonly search: string
  /** What was retrieved, in the order in which it is cited: chunk N is source N. */
  readonly chunks: readonly RetrievedChunk[]
  /** The verdict on the context; absent until, and unless, it was checked. */
  readonly context_relevant?: boolean
  readonly retry: Budget
}
