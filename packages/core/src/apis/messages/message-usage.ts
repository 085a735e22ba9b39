import type { Fields } from '../../answer/tool-shapes/fields.ts'
import type { Usage } from '../../engine/runner.ts'
import type { FinalReply } from '../shared/api.ts'
import { tokenCounts, tokensOf, usageBy } from '../shared/usage.ts'

/** Later counts of a stream replace earlier ones; null is ignored. */
export function mergeUsage(before: Fields | undefined, next: Fields): Fields {
  const merged: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(next)) if (value !== null || !(name in merged)) merged[name] = value
  return merged
}

/** The counts of a usage object; undefined without any. Anthropic counts cached tokens separately. */
export function usageOf(usage: Fields): Usage | undefined {
  const cached = (tokensOf(usage.cache_read_input_tokens) ?? 0) + (tokensOf(usage.cache_creation_input_tokens) ?? 0)
  return usageBy(usage.input_tokens, usage.output_tokens, cached)
}

/** The same usage in the format of chat completions, which include cached tokens in the total; unreported fields are absent. */
export function chatUsage(usage: Fields): Fields {
  const counts = usageOf(usage)
  const read = tokensOf(usage.cache_read_input_tokens)
  const written = tokensOf(usage.cache_creation_input_tokens)
  return {
    ...(counts && {
      prompt_tokens: counts.promptTokens,
      completion_tokens: counts.completionTokens,
      total_tokens: counts.promptTokens + counts.completionTokens,
    }),
    ...(read === undefined ? {} : { prompt_tokens_details: { cached_tokens: read }, cache_read_input_tokens: read }),
    ...(written === undefined ? {} : { cache_creation_input_tokens: written }),
  }
}

/**
 * The usage of a message, where clients need numbers: zeros when none was reported; cache reads and
 * writes are not part of `input_tokens`.
 */
export function messagesUsage(reply: Pick<FinalReply, 'usage' | 'rawUsage'>): Fields {
  const { prompt, completion, cacheRead, cacheWrite } = tokenCounts(reply)
  return {
    input_tokens: Math.max(0, prompt - cacheRead - cacheWrite),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: completion,
  }
}
