import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { Usage } from '../../engine/runner.ts'
import type { FinalReply } from '../shared/api.ts'
import { type Price, priced, usageBy } from '../shared/usage.ts'

/** Reads `usage` of OpenAI-compatible providers; undefined without counts, or with an impossible one. */
export function readUsage(usage: unknown, price: Price | undefined): Usage | undefined {
  const counts = isFields(usage) ? usageBy(usage.prompt_tokens, usage.completion_tokens) : undefined
  return counts && priced(counts, price)
}

/** The usage of a reply: the provider's own object if any, undefined when none was reported. */
export function chatUsage({ usage, rawUsage }: Pick<FinalReply, 'usage' | 'rawUsage'>): Fields | undefined {
  if (usage === undefined) return rawUsage
  const { promptTokens, completionTokens } = usage
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens, ...rawUsage }
}
