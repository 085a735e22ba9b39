import type { Usage } from '@stickler/core'
import { type Price, priced } from '@stickler/core/internal'
import { listedPrice, type WrittenUpstream } from '@stickler/gateway/internal'
import type { Recording } from '../recordings/recording.ts'

/** Finds the price of a model. */
export type PriceOf = (model: string | undefined) => Price | undefined

/** The prices of configured upstreams, then those of providers' lists. */
export function pricesIn(upstreams: readonly WrittenUpstream[]): PriceOf {
  const known = new Map<string, Price>()
  for (const { name, model = name, price, models = [] } of upstreams) {
    for (const [other, own] of models) known.set(other, own)
    if (price !== undefined) known.set(model, price)
  }
  return (model) => (model === undefined ? undefined : (known.get(model) ?? listedPrice(model)))
}

/** What an answer used, with its cost: what the record says, else by the price of its model. */
export function usageOf({ usage, model }: Pick<Recording, 'usage' | 'model'>, priceOf: PriceOf): Usage | undefined {
  return usage === undefined || usage.cost !== undefined ? usage : priced(usage, priceOf(model))
}

/** What asking again would use, if the answer is as long again: the rejected one is sent along, unless the contract asks anew. */
export function retryUsage(usage: Usage | undefined, price: Price | undefined, askAgain: 'continue' | 'anew'): Usage | undefined {
  if (usage === undefined) return undefined
  const { promptTokens, completionTokens, cost } = usage
  const sent = promptTokens + (askAgain === 'continue' ? completionTokens : 0)
  const retried = priced({ promptTokens: sent, completionTokens }, price)
  // Without a price the same again is the best guess.
  return retried.cost === undefined && cost !== undefined ? { ...retried, cost } : retried
}
