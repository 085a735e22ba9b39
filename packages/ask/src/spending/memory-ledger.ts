import { addSpend, type DaySpend, freshDay, isAboveCap } from '@stickler/presets/internal'
import type { SharedLedger, SpendLedger } from '../ports.ts'

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

/** The smallest amount that is counted, in dollars. */
const leastOfAll = 1e-9

/** Reserves beside a ledger that only counts: for one service, or for all that share `reserved`. */
export function reservingLedger(ledger: SpendLedger, today: () => number, reserved: Map<string, number>): SharedLedger {
  const setAside = (tenant: string, usd: number): void => {
    const sum = (reserved.get(tenant) ?? 0) + usd
    // Sums of decimal prices do not come back to exactly 0.
    if (sum >= leastOfAll) reserved.set(tenant, sum)
    else reserved.delete(tenant)
  }
  return {
    async hold(tenant, { leastUsd, mostUsd }, capUsd, nowMs) {
      // Reserved before the day is read: who comes meanwhile sees it, and what is settled meanwhile counts twice rather than never.
      const held = reserved.get(tenant) ?? 0
      setAside(tenant, mostUsd)
      const release = (): void => setAside(tenant, -mostUsd)
      try {
        const day = (await ledger.read(tenant, nowMs)) ?? freshDay(nowMs)
        // Something must be left, also for a call that may cost nothing.
        const needed = Math.max(leastOfAll, held > 0 ? held + mostUsd : leastUsd)
        if (isAboveCap(day, needed, capUsd, nowMs)) {
          release()
          return addSpend(day, held, nowMs)
        }
      } catch (thrown) {
        release()
        throw thrown
      }
      return {
        async settle(costUsd) {
          try {
            if (costUsd > 0) await ledger.add(tenant, costUsd, today())
          } finally {
            release()
          }
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
