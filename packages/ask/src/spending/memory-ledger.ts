import type { SpendLedger } from '../ports.ts'
import { addSpend, type DaySpend, freshDay } from './cost-guard.ts'

/**
 * Stores what tenants have spent in memory, for at most `maxTenants`; the least recently used is
 * evicted.
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

/**
 * A day further ahead than tomorrow is from before the clock was corrected, and locks nobody out.
 */
function near(day: DaySpend | undefined, nowMs: number): DaySpend | undefined {
  return day !== undefined && day.day > freshDay(nowMs).day + 1 ? undefined : day
}
