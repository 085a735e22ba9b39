<<<<<<< HEAD:packages/gateway/src/upstreams/call-usage.ts
import type { Usage } from '@stickler/core'
import type { Price } from '@stickler/core/internal/apis'
import type { PriceList } from './list-prices.ts'

/** The prices of a provider. */
export interface Prices {
  /** For every model that is not in `models`. */
  readonly price?: Price
  readonly models?: ReadonlyMap<string, Price>
  /** For models without either. */
  readonly listed?: PriceList | undefined
}

/** The price of one model. */
export function priceOf({ price, models, listed }: Prices, model: unknown): Price | undefined {
  if (typeof model !== 'string') return price
  return models?.get(model) ?? price ?? listed?.(model)
}
=======
import type { Usage } from '../../engine/runner.ts'
>>>>>>> e40bb435 (Move the relay of the gateway into the core, so that a fetch can deliver the same replies):packages/core/src/relay/calls/call-usage.ts

/** Adds the usage of several calls. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const cost = a.cost === undefined && b.cost === undefined ? {} : { cost: (a.cost ?? 0) + (b.cost ?? 0) }
  const estimated = a.estimated || b.estimated ? { estimated: true as const } : {}
  return { promptTokens: a.promptTokens + b.promptTokens, completionTokens: a.completionTokens + b.completionTokens, ...cost, ...estimated }
}

/** A number of tokens or of money; undefined for any other value. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
