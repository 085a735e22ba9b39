/** A passage of a document that was found for a query. */
export interface RetrievedChunk {
  /** Names the passage, such as `docs/guide/streams.md#L10-L42`; the same for the same passage. */
  readonly urn: string
  readonly text: string
  /** The headings above it, from the outermost; empty when there are none. */
  readonly headings: readonly string[]
  /** What reciprocal rank fusion gives it; larger is better. */
  readonly score: number
  /** Its place in each half, from 1; absent where that half did not find it. */
  readonly ranks: { readonly text?: number; readonly vector?: number }
}

/** What was found, best first. */
export interface Retrieval {
  readonly chunks: readonly RetrievedChunk[]
  /** Set when one half could not be asked: what is here comes from the other alone. */
  readonly degraded?: { readonly half: 'text' | 'vector'; readonly reason: string }
}

/** How much is to be found. */
export interface RetrieveOptions {
  /** Most chunks; 8. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Finds passages for a query; rejects with RetrieverUnavailable when it cannot look. An empty index finds nothing. */
export interface Retriever {
  retrieve(query: string, options?: RetrieveOptions): Promise<Retrieval>
}

/** Thrown when passages cannot be looked for; its message names no secret. */
export class RetrieverUnavailable extends Error {
  override readonly name = 'RetrieverUnavailable'
  /** Whether too many ask at the moment, which is no fault of the index. */
  readonly isBusy: boolean

  constructor(message: string, { isBusy = false, ...options }: ErrorOptions & { readonly isBusy?: boolean } = {}) {
    super(message, options)
    this.isBusy = isBusy
  }
}
