import { Kysely, PostgresDialect, sql } from 'kysely'
import { codeOf } from '../store-unavailable.ts'
import type { Engine, Exclusive } from './engine.ts'
import { type PostgresSettings, postgresPool } from './postgres-pool.ts'
import type { Tables } from './tables.ts'

// Any numbers will do, as long as every gateway uses the same.
const locks: Record<Exclusive, number> = { migrations: 7_839_201_001, records: 7_839_201_002 }

/** Opens PostgreSQL; nothing is sent before the first query. */
export function openPostgres(url: string, settings: PostgresSettings): Engine {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: postgresPool(url, settings) }) })
  return {
    name: 'postgres',
    db,
    transactionRecords: 500,
    types: {
      text: sql`text collate "C"`,
      integer: sql`bigint`,
      real: sql`double precision`,
      sequence: sql`bigint generated always as identity primary key`,
    },
    placeholder: (number) => `$${number}`,
    exclusively: (work, task) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(locks[work])})`.execute(transaction)
        return task(transaction)
      }),
    // Data exceptions, broken constraints, and values beyond what the server can hold.
    isDataError: (error) => /^(22|23|54)[0-9A-Z]{3}$/.test(codeOf(error) ?? ''),
    close: () => db.destroy(),
  }
}
