import type { Price } from '@stickler/core/internal/apis'

/** The prices of a provider. */
export interface Prices {
  /** For every model that is not in `models`. */
  readonly price?: Price
  readonly models?: ReadonlyMap<string, Price>
}

/** The price of one model. */
export function priceOf({ price, models }: Prices, model: unknown): Price | undefined {
  return (typeof model === 'string' ? models?.get(model) : undefined) ?? price
}
