/** A passage as it is indexed. */
export interface Chunk {
  /** Names the passage: path of the document and lines, such as `docs/guide/streams.md#L10-L42`. */
  readonly urn: string
  readonly text: string
  readonly headings: readonly string[]
  /** What full-text search compares: the terms of the document's name and of `searchableText`. */
  readonly terms: readonly string[]
  /** Absent when the index has no vectors. */
  readonly vector?: Float32Array
}

/** A document as it is indexed: replaced as a whole, or not at all. */
export interface IndexedDocument {
  /** Path with forward slashes, relative to where indexing began. */
  readonly path: string
  /** Changes whenever the document, or the way of splitting and reading it, changes. */
  readonly fingerprint: string
  readonly chunks: readonly Chunk[]
}

/**
 * A passage that one search found; `score` only orders passages of one search, larger is better.
 */
export interface Hit {
  readonly urn: string
  readonly text: string
  readonly headings: readonly string[]
  readonly score: number
}

/** What an index holds. */
export interface IndexFacts {
  readonly documents: number
  readonly chunks: number
  /** The embedder whose vectors it holds, and their length; absent when it has none. */
  readonly embedding?: { readonly name: string; readonly dimensions: number }
}

/**
 * Stores passages and hides the differences between engines. All of it is about one collection.
 * Rejects with RetrieverUnavailable when the engine cannot be reached.
 */
export interface IndexEngine {
  /** How many searches of a kind it runs at once; more would queue. */
  readonly searchesAtOnce?: number
  /** The best passages for terms, by the engine's full-text ranking; none for no terms. Equal scores are ordered by urn. */
  searchText(terms: readonly string[], limit: number, signal?: AbortSignal): Promise<readonly Hit[]>
  /** The closest passages by cosine; equal scores are ordered by urn. `embedding` names what made the vector: rejects with a ConfigurationError when the index holds vectors of another name or length; finds nothing when it holds none. */
  searchVector(vector: Float32Array, embedding: string, limit: number, signal?: AbortSignal): Promise<readonly Hit[]>
  /** Fingerprints by path, of the documents at or below a path; `''` for all. Paths are compared as texts: `../../a` counts as below `..`. */
  fingerprints(below: string, signal?: AbortSignal): Promise<ReadonlyMap<string, string>>
  /** Replaces documents, all of them at once or none; searches see the old ones until then. `embedding` names the vectors they carry: rejects with a ConfigurationError while documents that stay have vectors of another name or length, so that an index never mixes them. */
  replace(documents: readonly IndexedDocument[], embedding?: string, signal?: AbortSignal): Promise<void>
  /** Removes documents by their paths; an index without vectors can take those of any embedder. */
  remove(paths: readonly string[], signal?: AbortSignal): Promise<void>
  facts(signal?: AbortSignal): Promise<IndexFacts>
  close(): Promise<void>
}
