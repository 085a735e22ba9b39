import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { FinalReply } from '../shared/api.ts'

/** Tokens of a reply over all attempts, with the provider's detailed counts. */
export interface TokenCounts {
  readonly prompt: number
  readonly completion: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
}

/** Counts the tokens of a reply. */
export function tokenCounts({ usage, rawUsage = {} }: Pick<FinalReply, 'usage' | 'rawUsage'>): TokenCounts {
  const prompt = details(rawUsage.prompt_tokens_details)
  return {
    prompt: usage?.promptTokens ?? 0,
    completion: usage?.completionTokens ?? 0,
    cacheRead: Math.max(count(rawUsage.cache_read_input_tokens), count(prompt.cached_tokens)),
    cacheWrite: Math.max(count(rawUsage.cache_creation_input_tokens), count(prompt.cache_write_tokens)),
    reasoning: count(details(rawUsage.completion_tokens_details).reasoning_tokens),
  }
}

function details(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0
}
