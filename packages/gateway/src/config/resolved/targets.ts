import { defined } from '@stickler/core/internal'
import type { Price } from '@stickler/core/internal/apis'
import type { UpstreamConfig } from '../../upstreams/kinds/upstream-kind.ts'
import { type Prices, priceOf } from '../../upstreams/prices.ts'
import type { GatewayConfig, RouteTarget } from './gateway-config.ts'

/** The possible prices of a route's target, those of its provider's list included; undefined for an unknown one. */
export function targetPrices({ upstream, model }: RouteTarget, { upstreams }: Pick<GatewayConfig, 'upstreams'>): (Price | undefined)[] {
  return pricesFor(upstreams.find(({ name }) => name === upstream) ?? {}, model)
}

/** Whether the configuration has a price for a route's target. */
export function hasOwnPrice({ upstream, model }: RouteTarget, { upstreams }: Pick<GatewayConfig, 'upstreams'>): boolean {
  const { price, models }: Prices = upstreams.find(({ name }) => name === upstream) ?? {}
  return pricesFor(defined({ price, models }), model).some((one) => one !== undefined)
}

function pricesFor(prices: Prices, model: string | undefined): (Price | undefined)[] {
  // The client may name the most expensive model.
  return model === undefined ? [prices.price, ...(prices.models?.values() ?? [])] : [priceOf(prices, model)]
}

/** Commands and scripts have one model, regardless of its name. */
export function askedModel(config: UpstreamConfig | undefined, name: string): string {
  return config?.model ?? (config?.record.traits.choosesModel ? '' : name)
}
