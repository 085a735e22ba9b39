import type { Price } from '@stickler/core/runners'
import { type Prices, priceOf } from '../../upstreams/usage.ts'
import type { GatewayConfig, RouteTarget } from './gateway-config.ts'

/** The prices that a target of a route may have; undefined for one that is not known. */
export function targetPrices({ upstream, model }: RouteTarget, { upstreams }: Pick<GatewayConfig, 'upstreams'>): (Price | undefined)[] {
  const prices: Prices = upstreams.find(({ name }) => name === upstream) ?? {}
  // Where the client names the model, it may be the dearest.
  return model === undefined ? [prices.price, ...(prices.models?.values() ?? [])] : [priceOf(prices, model)]
}
