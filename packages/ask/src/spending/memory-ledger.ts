import type { SharedLedger, SpendLedger } from '../ports.ts'
import { addSpend, type DaySpend, freshDay, isAboveCap } from './cost-guard.ts'

/**
 * Stores what tenants have spent in memory, for at most `maxTenants`; the least recently used is
 * evicted. For programs without a gateway, whose ledger is in its database.
 */
export function memoryLedger(maxTenants = 10_000): SpendLedger {
  const days = new Map<string, DaySpend>()
  return {
    read: async (tenant, nowMs) => near(days.get(tenant), nowMs),
    async add(tenant, costUsd, nowMs) {
      const day = addSpend(near(days.get(tenant), nowMs) ?? freshDay(nowMs), costUsd, nowMs)
      days.delete(tenant)
      days.set(tenant, day)
      const [oldest] = days.keys()
      if (days.size > maxTenants && oldest !== undefined) days.delete(oldest)
    },
  }
}

/** Reserves beside a ledger that only counts: for one service, or for all that share `reserved`. */
export function reservingLedger(ledger: SpendLedger, today: () => number, reserved: Map<string, number>): SharedLedger {
  const setAside = (tenant: string, usd: number): void => {
    const sum = (reserved.get(tenant) ?? 0) + usd
    if (sum > 0) reserved.set(tenant, sum)
    else reserved.delete(tenant)
  }
  return {
    async hold(tenant, { leastUsd, mostUsd }, capUsd, nowMs) {
      const day = (await ledger.read(tenant, nowMs)) ?? freshDay(nowMs)
      const held = reserved.get(tenant) ?? 0
      if (isAboveCap(day, held > 0 ? held + mostUsd : leastUsd, capUsd, nowMs)) return addSpend(day, held, nowMs)
      setAside(tenant, mostUsd)
      return {
        async settle(costUsd) {
          setAside(tenant, -mostUsd)
          if (costUsd > 0) await ledger.add(tenant, costUsd, today())
        },
      }
    },
  }
}

/**
 * A day further ahead than tomorrow is from before the clock was corrected, and locks nobody out.
 */
function near(day: DaySpend | undefined, nowMs: number): DaySpend | undefined {
  return day !== undefined && day.day > freshDay(nowMs).day + 1 ? undefined : day
}
