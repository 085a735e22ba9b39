import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { Usage } from '../../engine/runner.ts'
import type { FinalReply } from '../shared/api.ts'

/** What a million tokens cost. */
export interface Price {
  readonly promptPerMillion: number
  readonly completionPerMillion: number
}

/** Reads `usage` as OpenAI-compatible providers send it; nothing when it holds no counts, or one that cannot be. */
export function readUsage(usage: unknown, price: Price | undefined): Usage | undefined {
  if (!isFields(usage)) return undefined
  const prompt = count(usage.prompt_tokens)
  const completion = count(usage.completion_tokens)
  if (prompt === undefined && completion === undefined) return undefined
  // Partial usage is as unreliable as none.
  if (isWrong(usage.prompt_tokens) || isWrong(usage.completion_tokens)) return undefined
  return withCost({ promptTokens: prompt ?? 0, completionTokens: completion ?? 0 }, price)
}

function withCost(usage: Usage, price: Price | undefined): Usage {
  if (price === undefined) return usage
  const cost = (usage.promptTokens * price.promptPerMillion + usage.completionTokens * price.completionPerMillion) / 1_000_000
  return { ...usage, cost }
}

function isWrong(value: unknown): boolean {
  return value !== undefined && value !== null && count(value) === undefined
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** The usage of a reply: the provider's own object if any, undefined when none was reported. */
export function chatUsage({ usage, rawUsage }: Pick<FinalReply, 'usage' | 'rawUsage'>): Fields | undefined {
  if (usage === undefined) return rawUsage
  const { promptTokens, completionTokens } = usage
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens, ...rawUsage }
}
