import { sourcesOf } from '../../retrieval/passage-text.ts'
import { limited } from '../limited.ts'
import type { Needs } from '../options.ts'
import type { PipelineState } from '../state.ts'
import { degradedBy, type Step } from '../step.ts'

/**
 * The share of the time for an embedder or a model: the lexical strategy decides when it takes
 * longer.
 */
const serviceShare = 0.8

/**
 * Judges whether the retrieved context can answer the query; a failing judge counts as YES, and an
 * empty context as NO.
 */
export async function checkContextRelevance(
  state: PipelineState,
  needs: Needs,
  signal: AbortSignal | undefined,
): Promise<Step<{ readonly context_relevant: boolean }>> {
  const { relevance, timeoutMs, clock } = needs
  if (state.chunks.length === 0)
    return { change: { context_relevant: false }, detail: { relevance: { relevant: false, strategy: relevance.strategy ?? 'lexical' } } }
  const passages = sourcesOf(state.chunks).map(({ payload }) => payload)
  const judge = (inner: AbortSignal) =>
    relevance(state.search || state.query, passages, inner, {
      timeoutMs: Math.max(1, Math.floor(timeoutMs * serviceShare)),
      clock,
    })
  const judged = await limited(judge, { called: 'relevance check', timeoutMs, clock, signal })
  if ('failure' in judged) return { change: { context_relevant: true }, detail: degradedBy(judged.failure) }
  const { relevant, strategy, score, fallback, codes } = judged.value
  return {
    change: { context_relevant: relevant },
    detail: {
      relevance: { relevant, strategy, ...(score === undefined ? {} : { score }), ...(fallback === undefined ? {} : { fallback }) },
      ...(codes && { codes }),
    },
  }
}
