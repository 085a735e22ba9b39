import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { name } from '../rows/values.ts'

/** What has been spent on a UTC day, which is a number of days since 1970. */
export interface DaySpend {
  readonly spentUsd: number
  readonly day: number
}

/** What tenants spend, counted over all gateways that share the database. */
export interface SpendLedger {
  /** What the tenant spent on a day, or on the one after it: a clock that goes back over midnight gives nothing back, and one that was far ahead locks nobody out. */
  read(tenant: string, day: number): Promise<DaySpend>
  /** Adds to the day that `read` tells of, and tells its sum. */
  add(tenant: string, usd: number, day: number): Promise<DaySpend>
}

/** Counts spending in the database. */
export function createSpendLedger({ db }: Engine): SpendLedger {
  const read = async (tenant: string, day: number): Promise<DaySpend> => {
    const near = db
      .selectFrom('spend')
      .select(['usd', 'day'])
      .where('tenant', '=', name(tenant))
      .where('day', 'in', [day, day + 1])
    const row = await near.orderBy('day', 'desc').limit(1).executeTakeFirst()
    return { spentUsd: row?.usd ?? 0, day: row?.day ?? day }
  }
  return {
    read,
    async add(tenant, usd, day) {
      if (!(usd > 0) || !Number.isFinite(usd) || !Number.isSafeInteger(day)) return read(tenant, Math.trunc(day) || 0)
      const who = name(tenant)
      const { rows } = await sql<{ usd: number; day: number }>`
        insert into spend (tenant, day, usd)
        select ${who}, coalesce((select max(day) from spend where tenant = ${who} and day = ${day + 1}), ${day}), ${usd} where true
        on conflict (tenant, day) do update set usd = spend.usd + excluded.usd
        returning usd, day`.execute(db)
      return { spentUsd: rows[0]?.usd ?? 0, day: rows[0]?.day ?? day }
    },
  }
}
