import type { AskModel, Embedder } from '../contract/embedder.ts'
import { lexicalRelevance } from './lexical/index.ts'

/** How relevance is judged: by words, by vectors, or by a model that says YES or NO. */
export const relevanceStrategies = ['lexical', 'embedding', 'llm'] as const

/** One of `lexical`, `embedding`, `llm`. */
export type RelevanceStrategy = (typeof relevanceStrategies)[number]

/** What is judged, and how. */
export interface RelevanceCase {
  readonly question: string
  /** The texts that were found for it. */
  readonly chunks: readonly string[]
  readonly strategy?: RelevanceStrategy
  /** The lowest score that is relevant; by default that of the strategy. */
  readonly threshold?: number | undefined
  readonly embedder?: Embedder | undefined
  readonly model?: AskModel | undefined
  readonly signal?: AbortSignal | undefined
  /** Keeps vectors and verdicts that cost a call; the same map for the same run. */
  readonly memory?: Map<unknown, unknown> | undefined
}

/** Whether at least one text is about the question. */
export interface RelevanceVerdict {
  readonly relevant: boolean
  /** From 0 to 1; absent when a model was asked, which says only YES or NO. */
  readonly score?: number
  /** What decided: not the one that was asked for when that had no verdict. */
  readonly strategy: RelevanceStrategy
  /** Why it was not decided as asked; absent when it was. */
  readonly fallback?: string
}

/** Scores below this one are not relevant, where nothing else is said. */
export const lexicalThreshold = 0.5

/** Judges whether the texts are about the question; never rejects, except with the reason of `signal`. */
export async function judgeRelevance({ question, chunks, threshold }: RelevanceCase): Promise<RelevanceVerdict> {
  const score = await lexicalRelevance(question, chunks)
  return { relevant: score >= (threshold ?? lexicalThreshold), score, strategy: 'lexical' }
}
