import type { Message } from '@stickler/core'
import type { NodeTrace } from '../reply/node-trace.ts'
import type { QueryType } from '../reply/query-type.ts'
import type { RetrievedChunk } from '../retrieval/retriever.ts'

/** Whether the one retry of a request is still available. */
export type RetryBudget = 'unspent' | 'spent'

/** The verdict on the code that a state holds; empty until it was validated. */
export type CodeVerdict = '' | 'VALID' | 'INVALID' | 'UNAVAILABLE'

/** What the nodes pass on: plain data, so that a graph can store it. The budget is part of the type: a node that spends it takes `unspent` and returns `spent`. */
export interface PipelineState<Budget extends RetryBudget = RetryBudget> {
  /** The user's query, unchanged. */
  readonly query: string
  /** Previous turns, oldest first. */
  readonly history: readonly Message[]
  /** Empty until the request was classified; a request may name it. */
  readonly type: QueryType | ''
  /** The search query; empty until it was reformulated. */
  readonly search: string
  /** What was retrieved, in the order in which it is cited: chunk N is source N. */
  readonly chunks: readonly RetrievedChunk[]
  /** Whether the caller gave the chunks: nothing is retrieved then. */
  readonly given: boolean
  /** Number of retrievals: at most two. */
  readonly retrievals: number
  /** Why passages could not be retrieved; empty when they could. */
  readonly retriever_failed: string
  /** The verdict on the context; null until, and unless, it was checked. */
  readonly context_relevant: boolean | null
  readonly retry: Budget
  /** The last answer of the model. */
  readonly answer: string
  /** The provider's finish reason; empty when it sent none. */
  readonly finish_reason: string
  readonly verdict: CodeVerdict
  /** The parser's trace of the first answer; empty when that is valid. */
  readonly parser_trace: string
  /** What a retry asks with; empty when there is nothing to ask again. */
  readonly parser_feedback: string
  /** `""`, or what the contract declares for an invalid answer and for one without a verdict. Set when the answer is final. */
  readonly validation_status: string
  /** What the nodes did, in their order. */
  readonly trace: readonly NodeTrace[]
}
