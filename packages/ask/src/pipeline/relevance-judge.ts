import { judgeRelevance, type RelevanceCase, type RelevanceVerdict } from '@stickler/core/relevance'

/** Judges whether at least one passage is relevant to a query. */
export type RelevanceJudge = (query: string, passages: readonly string[], signal?: AbortSignal) => Promise<RelevanceVerdict>

/** How relevance is judged: by words, or with an embedder or a model. */
export type RelevanceSettings = Pick<RelevanceCase, 'strategy' | 'threshold' | 'embedder' | 'model'>

/** The judge of a strategy; by words, without a model, when nothing else is said. */
export function relevanceJudge(settings: RelevanceSettings = {}): RelevanceJudge {
  return (question, chunks, signal) => judgeRelevance({ ...settings, question, chunks, signal })
}
