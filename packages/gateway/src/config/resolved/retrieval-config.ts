/** The complete retrieval settings. */
export interface RetrievalConfig {
  readonly index: IndexConfig
  readonly collection: string
  /** Maximum passages per query. */
  readonly chunks: number
  readonly embeddings: EmbeddingsConfig
  readonly relevance: RelevanceConfig
  /** The model that classifies; rules when absent. */
  readonly classifier?: ModelChoice
  /** The model that rewrites queries; rules when absent. */
  readonly reformulation?: ModelChoice
}

/** Where passages are stored. */
export interface IndexConfig {
  readonly kind: 'sqlite' | 'postgres' | 'elasticsearch' | 'opensearch'
  /** The address without its password; that of a file is its full path. */
  readonly shown: string
  /** Secret: the whole address. */
  readonly url: string
}

/** What computes vectors. */
export type EmbeddingsConfig = { readonly kind: 'none' } | { readonly kind: 'local' } | EmbeddingsService

/** An OpenAI-compatible embeddings service. */
export interface EmbeddingsService {
  readonly kind: 'service'
  /** The address without its query. */
  readonly shown: string
  readonly model: string
  readonly dimensions?: number
  readonly timeoutMs: number
  /** Secret when it has a query. */
  readonly baseUrl: string
  /** Secret. */
  readonly apiKey?: string
}

/** How relevance is decided. */
export type RelevanceConfig =
  | { readonly strategy: 'lexical' | 'embedding'; readonly threshold?: number }
  | { readonly strategy: 'llm'; readonly model: ModelChoice }

/** A model that helps to understand queries. */
export interface ModelChoice {
  readonly upstream: string
  /** The model name to send; absent where the upstream has only one. */
  readonly model?: string
}
