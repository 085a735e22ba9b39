import type { StoreKeeping } from '../../records/store/store-options.ts'
import { usualAuditDays } from '../schema/ask-schema.ts'
import type { GatewayConfig } from './gateway-config.ts'

/** What the store keeps under a configuration, and for how long. */
export function keepingOf({ store, ask }: GatewayConfig): StoreKeeping {
  return {
    keepText: store.keepText,
    keepAuditText: ask?.audit.answer === true || ask?.audit.question === true,
    retentionDays: store.retentionDays,
    // Also for questions from before `ask` was removed from the configuration.
    auditRetentionDays: ask?.audit.retentionDays ?? usualAuditDays,
    ...(ask === undefined ? {} : { cacheEntries: ask.cache.maxEntries }),
  }
}
