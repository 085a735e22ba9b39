import type { MostTokens } from '../enforcement/most-cost.ts'
import { tokensOfBytes } from '../enforcement/prompt-tokens.ts'
import { mostCharacters } from '../retrieving/retrieving.ts'
import { type HelperModels, helperTokens } from './helper-calls.ts'

/** Rules, fences and names of sources around the passages. */
const aroundBytes = 4096

/** What a pipeline needs beside the answer. */
export interface PipelineNeeds {
  readonly chunks: number
  /** The helpers that there are, whatever they are. */
  readonly helpers: { readonly [Name in keyof HelperModels]?: unknown }
}

/** Tokens that are set aside for so many passages, and all that they may come to. */
export function passageTokens(chunks: number): number {
  return tokensOfBytes(chunks * mostCharacters + aroundBytes)
}

/** The most that a request can use when a pipeline finds passages for it and asks helpers first. */
export function mostOfPipeline(most: MostTokens, { chunks, helpers }: PipelineNeeds): MostTokens {
  const found = passageTokens(chunks)
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
