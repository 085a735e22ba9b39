import { mostCharacters } from '../../services/retrieving/retrieving.ts'
import type { CallTokens, CostBound } from '../budgets/cost-bound.ts'
import { bytesOfTokens, tokensOfBytes } from '../budgets/prompt-tokens.ts'
import { type HelperModels, helperTokens } from './helper-calls.ts'

/** Rules, fences and names of sources around the passages. */
const aroundBytes = 4096
/**
 * Maximum characters of a conversation that a helper is shown, and of a query that one has written.
 */
const mostShown = 10_000
const mostWorded = 2000
/** Markup is escaped for helpers: `"` becomes 6 bytes. */
const escapedBytes = 6

/** What a pipeline needs beside the answer. */
export interface PipelineNeeds {
  readonly chunks: number
  /** The available helpers. */
  readonly helpers: { readonly [Name in keyof HelperModels]?: unknown }
  /**
   * How many choices are requested; some providers are called, and given the passages, once per
   * choice.
   */
  readonly choices?: number
}

/** Tokens reserved per passage, and the maximum of all. */
export function passageTokens(chunks: number): number {
  return tokensOfBytes(chunks * mostCharacters + aroundBytes)
}

/**
 * The most that a request can use when a pipeline retrieves passages for it and calls helpers
 * first. Larger prompts are made to fit.
 */
export function pipelineCostBound(most: CostBound, { chunks, helpers, choices = 1 }: PipelineNeeds): CostBound {
  const found = passageTokens(chunks)
  const { classifier, reformulation, relevance } = helpers
  // A query may be worded twice.
  const calls = (classifier ? 1 : 0) + (reformulation ? 2 : 0) + (relevance ? 1 : 0)
  const { first, again, retries, shrinks } = most
  const answer = { ...again, prompt: again.prompt + found }
  const shown = Math.min(mostShown, Math.max(bytesOfTokens(first.prompt / choices), reformulation ? mostWorded : 0))
  const helper = { prompt: tokensOfBytes(escapedBytes * shown + aroundBytes) + (relevance ? found : 0), completion: helperTokens }
  return {
    ...most,
    first: { ...first, prompt: first.prompt + found * choices },
    again: calls === 0 ? answer : larger(answer, helper),
    retries: retries + calls,
    shrinks: { ...shrinks, to: (limit, prompt) => pipelineCostBound(shrinks.to(limit, prompt), { chunks, helpers, choices }) },
  }
}

function larger(one: CallTokens, other: CallTokens): CallTokens {
  return { prompt: Math.max(one.prompt, other.prompt), completion: Math.max(one.completion, other.completion) }
}
