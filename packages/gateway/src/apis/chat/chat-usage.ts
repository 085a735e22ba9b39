import type { FinalReply } from '../shared/api.ts'
import type { Fields } from '../shared/fields.ts'

/** The usage of a reply: the provider's own object if any, undefined when none was reported. */
export function chatUsage({ usage, rawUsage }: Pick<FinalReply, 'usage' | 'rawUsage'>): Fields | undefined {
  if (usage === undefined) return rawUsage
  const { promptTokens, completionTokens } = usage
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens, ...rawUsage }
}
