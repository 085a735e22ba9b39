import { judgeRelevance, type RelevanceCase, type RelevanceStrategy, type RelevanceVerdict } from '@stickler/core/validators'

/** Judges whether at least one passage is relevant to a query. */
export interface RelevanceJudge {
  (query: string, passages: readonly string[], signal?: AbortSignal, limits?: JudgeLimits): Promise<RelevanceVerdict>
  /** What it judges by; by words when absent. */
  readonly strategy?: RelevanceStrategy
}

/** How long an embedder or a model may take, so that there is time left to judge without it. */
type JudgeLimits = Pick<RelevanceCase, 'timeoutMs' | 'clock'>

/** The judge of a strategy, by words or with an embedder or a model; lexical, without a model, by default. */
export function relevanceJudge(
  settings: Pick<RelevanceCase, 'strategy' | 'threshold' | 'embedder' | 'model' | 'timeoutMs'> = {},
): RelevanceJudge {
  const judge: RelevanceJudge = (question, chunks, signal, limits = {}) => {
    const given = [settings.timeoutMs, limits.timeoutMs].filter((ms) => ms !== undefined)
    const timeoutMs = given.length === 0 ? undefined : Math.min(...given)
    return judgeRelevance({ ...settings, question, chunks, signal, clock: limits.clock, isRetrieved: true, timeoutMs })
  }
  return Object.assign(judge, { strategy: settings.strategy ?? 'lexical' })
}
