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
