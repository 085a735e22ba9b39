import type { Usage } from '@stickler/core'
import type { Price } from '@stickler/core/runners'

/** Adds what tokens cost by a price. */
export function priced(usage: Usage, price: Price | undefined): Usage {
  if (price === undefined) return usage
  return { ...usage, cost: (usage.promptTokens * price.promptPerMillion + usage.completionTokens * price.completionPerMillion) / 1_000_000 }
}
