import type { MostTokens } from '../enforcement/most-cost.ts'
import { tokensOfBytes } from '../enforcement/prompt-tokens.ts'
import { mostCharacters } from '../retrieving/retrieving.ts'
import { helperTokens } from './helper-calls.ts'
import type { PipelineTarget } from './pipeline-target.ts'

/** Rules, fences and names of sources around the passages. */
const aroundBytes = 4096

/** The most that a request can use when a pipeline finds passages for it and asks helpers first. */
export function mostOfPipeline(most: MostTokens, { chunks, helpers }: Pick<PipelineTarget, 'chunks' | 'helpers'>): MostTokens {
  const found = tokensOfBytes(chunks * mostCharacters + aroundBytes)
  const { classifier, reformulation, relevance } = helpers
  // A query may be worded twice.
  const calls = (classifier ? 1 : 0) + (reformulation ? 2 : 0) + (relevance ? 1 : 0)
  const { first, again, retries, shrinks } = most
  return {
    ...most,
    first: { ...first, prompt: first.prompt + found },
    again: { prompt: again.prompt + found, completion: calls === 0 ? again.completion : Math.max(again.completion, helperTokens) },
    retries: retries + calls,
    shrinks: { ...shrinks, to: (limit, prompt) => mostOfPipeline(shrinks.to(limit, prompt), { chunks, helpers }) },
  }
}
