import { type Fields, isFields } from '@stickler/core/internal'
import { refuseUnsupported } from '@stickler/core/internal/apis'
import type { Target } from '../../requests/target.ts'

/** Fields by which providers that route let a client choose other models or hosts, in lower case: some providers ignore case. */
const routing: ReadonlySet<string> = new Set([
  ...['model', 'models', 'route', 'provider', 'provideroptions', 'preset', 'plugins', 'fallbacks', 'model_list'],
  ...['context_window_fallbacks', 'content_policy_fallbacks', 'router_settings'],
])

/** Fields that multiply the price, with the values that do not raise it. */
const tiers: ReadonlyMap<string, ReadonlySet<unknown>> = new Map([
  ['service_tier', new Set(['auto', 'default', 'standard', 'standard_only', 'flex', 'batch'])],
  ['speed', new Set(['standard'])],
])

/**
 * Rejects fields that let a client have another price than that of the route: budgets are reserved
 * and counted with it.
 */
export function refuseOtherPrices(body: Fields, { hasOwnPrice, model }: Pick<Target, 'hasOwnPrice' | 'model'>): void {
  if (!hasOwnPrice) return
  let path = ''
  for (let fields: unknown = body; isFields(fields); fields = fields.extra_body) {
    for (const name in fields) {
      const value = fields[name]
      if (value === undefined || value === null || (name === 'model' && path === '')) continue
      const lower = name.toLowerCase()
      if (routing.has(lower) || tiers.get(lower)?.has(value) === false)
        refuseUnsupported(
          path + name,
          `${path}${name} is not supported: it could cost more than the price of the model ${JSON.stringify(model)}.`,
        )
    }
    path += 'extra_body.'
  }
}
