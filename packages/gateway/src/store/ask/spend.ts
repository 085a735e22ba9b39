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
  /** The latest day on which the tenant spent something. */
  read(tenant: string): Promise<DaySpend>
  /** Adds to a day and tells its sum; a clock that goes back adds to the latest day. */
  add(tenant: string, usd: number, day: number): Promise<DaySpend>
}

/** Counts spending in the database. */
export function createSpendLedger({ db }: Engine): SpendLedger {
  const read = async (tenant: string): Promise<DaySpend> => {
    const query = db.selectFrom('spend').select(['usd', 'day']).where('tenant', '=', name(tenant)).orderBy('day', 'desc').limit(1)
    const row = await query.executeTakeFirst()
    return { spentUsd: row?.usd ?? 0, day: row?.day ?? 0 }
  }
  return {
    read,
    async add(tenant, usd, day) {
      if (!(usd > 0) || !Number.isFinite(usd) || !Number.isSafeInteger(day)) return read(tenant)
      const who = name(tenant)
      const { rows } = await sql<{ usd: number; day: number }>`
        insert into spend (tenant, day, usd)
        select ${who}, coalesce((select max(day) from spend where tenant = ${who} and day > ${day}), ${day}), ${usd} where true
        on conflict (tenant, day) do update set usd = spend.usd + excluded.usd
        returning usd, day`.execute(db)
      return { spentUsd: rows[0]?.usd ?? 0, day: rows[0]?.day ?? day }
    },
  }
}
