/** Whether passages can answer a query, and how that was decided. */
export interface RelevanceVerdict {
  readonly relevant: boolean
  readonly strategy: 'lexical' | 'embedding' | 'llm'
  /** From 0 to 1, where the strategy has one. */
  readonly score?: number
  /** Why the strategy that was wanted could not be used. */
  readonly fallback?: string
}

/** Judges whether at least one passage is relevant to a query. */
export type RelevanceJudge = (query: string, passages: readonly string[], signal?: AbortSignal) => Promise<RelevanceVerdict>
