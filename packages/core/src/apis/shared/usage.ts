import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { Usage } from '../../engine/runner.ts'
import type { FinalReply } from './api.ts'

/** The price of a million tokens. */
export interface Price {
  readonly promptPerMillion: number
  readonly completionPerMillion: number
}

/** Adds the cost of tokens by a price. */
export function priced(usage: Usage, price: Price | undefined): Usage {
  if (price === undefined) return usage
  return { ...usage, cost: (usage.promptTokens * price.promptPerMillion + usage.completionTokens * price.completionPerMillion) / 1_000_000 }
}

/** Usage from a provider's counts, and tokens that it counts besides the prompt; undefined without counts, or with an impossible one. */
export function usageBy(prompt: unknown, completion: unknown, beside = 0): Usage | undefined {
  const promptTokens = tokensOf(prompt)
  const completionTokens = tokensOf(completion)
  if (promptTokens === undefined && completionTokens === undefined) return undefined
  // Partial usage is as unreliable as none.
  if ((promptTokens === undefined && isGiven(prompt)) || (completionTokens === undefined && isGiven(completion))) return undefined
  return { promptTokens: (promptTokens ?? 0) + beside, completionTokens: completionTokens ?? 0 }
}

/** A number of tokens; undefined for any other value. */
export function tokensOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Adds usage objects of one format: counts are summed at every depth, of all other values the last one counts. */
export function sumUsage(usages: readonly Fields[]): Fields {
  return usages.reduce((sum, usage) => added(sum, usage))
}

/** Nothing that a provider really sends is nested deeper. */
const deepest = 8

function added(a: Fields, b: Fields, depth = 0): Fields {
  const sum: Record<string, unknown> = { ...a }
  for (const name of Object.keys(b)) {
    if (name === '__proto__') continue
    const [one, other] = [a[name], b[name]]
    if (typeof one === 'number' && typeof other === 'number') sum[name] = one + other
    else if (isFields(one) && isFields(other) && depth < deepest) sum[name] = added(one, other, depth + 1)
    else if ((other !== null && other !== undefined) || one === undefined) sum[name] = other
  }
  return sum
}

/** Tokens of a reply over all attempts, with the provider's detailed counts. */
interface TokenCounts {
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
