import type { Usage } from '@stickler/core'
import type { FinalReply } from '../protocols/protocol.ts'

/** What all attempts of all choices used together, also in the provider's own words. */
export function summedUsage(
  usages: readonly Usage[],
  raw: Readonly<Record<string, unknown>> | undefined,
): Pick<FinalReply, 'usage' | 'rawUsage'> {
  let promptTokens = 0
  let completionTokens = 0
  let cost: number | undefined
  for (const one of usages) {
    promptTokens += one.promptTokens
    completionTokens += one.completionTokens
    if (one.cost !== undefined) cost = (cost ?? 0) + one.cost
  }
  const usage = cost === undefined ? { promptTokens, completionTokens } : { promptTokens, completionTokens, cost }
  if (raw === undefined) return { usage }
  const sums = { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: promptTokens + completionTokens }
  return { usage, rawUsage: { ...raw, ...sums } }
}
