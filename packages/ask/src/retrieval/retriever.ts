import { type Reason, type ReasonCode, ReasonedError } from '@stickler/core/internal'

/** A passage of a document that was found for a query. */
export interface RetrievedChunk {
  /** Names the passage, such as `docs/guide/streams.md#L10-L42`; the same for the same passage. */
  readonly urn: string
  readonly text: string
  /** The headings above it, from the outermost; empty when there are none. */
  readonly headings: readonly string[]
  /** Its score from reciprocal rank fusion; larger is better, but a third passage of a document comes after those of others. */
  readonly score: number
  /** Its rank in each search, from 1; absent where that search did not find it. */
  readonly ranks: { readonly text?: number; readonly vector?: number }
}

/** The results, best first. */
export interface Retrieval {
  readonly chunks: readonly RetrievedChunk[]
  /** Set when one search failed: the results come from the other alone. */
  readonly degraded?: { readonly half: 'text' | 'vector'; readonly reason: string; readonly codes?: readonly ReasonCode[] }
}

/** How much to retrieve. */
export interface RetrieveOptions {
  /** Most chunks; 8. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/**
 * Retrieves passages for a query; rejects with RetrieverUnavailable when it cannot search. An empty
 * index finds nothing.
 */
export interface Retriever {
  retrieve(query: string, options?: RetrieveOptions): Promise<Retrieval>
}

/** Thrown when retrieval fails; its message contains no secrets. */
export class RetrieverUnavailable extends ReasonedError {
  override readonly name = 'RetrieverUnavailable'
  /** Whether it is overload, which is not a fault of the index. */
  readonly isBusy: boolean

  constructor(reason: string | Reason, { isBusy = false, ...options }: ErrorOptions & { readonly isBusy?: boolean } = {}) {
    super(reason, options)
    this.isBusy = isBusy
  }
}
