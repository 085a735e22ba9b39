import type { Fields } from '../../answer/tool-shapes/fields.ts'
import type { Usage } from '../../engine/runner.ts'

/** What later counts of a stream say replaces what earlier ones said; null says nothing. */
export function mergeUsage(before: Fields | undefined, next: Fields): Fields {
  const merged: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(next)) if (value !== null || !(name in merged)) merged[name] = value
  return merged
}

/** The counts of a usage object; undefined when it has none. Anthropic counts tokens of the cache beside the others. */
export function usageOf(usage: Fields): Usage | undefined {
  const { input_tokens: input, output_tokens: output } = usage
  if (count(input) === undefined && count(output) === undefined) return undefined
  // Partial usage is as unreliable as none.
  if (isWrong(input) || isWrong(output)) return undefined
  const cached = (count(usage.cache_read_input_tokens) ?? 0) + (count(usage.cache_creation_input_tokens) ?? 0)
  return { promptTokens: (count(input) ?? 0) + cached, completionTokens: count(output) ?? 0 }
}

/** The same usage in the format of chat completions, which include cached tokens in the total; unreported fields are absent. */
export function chatUsage(usage: Fields): Fields {
  const counts = usageOf(usage)
  const read = count(usage.cache_read_input_tokens)
  const written = count(usage.cache_creation_input_tokens)
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

function isWrong(value: unknown): boolean {
  return value !== undefined && value !== null && count(value) === undefined
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
