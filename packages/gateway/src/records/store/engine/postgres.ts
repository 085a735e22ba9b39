import { systemCode } from '@stickler/core/internal'
import { openPostgresPool, type PostgresConnection } from '@stickler/node/internal'
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import type { Tables } from '../rows/tables.ts'
import { withoutNul } from '../rows/values.ts'
import type { Engine } from './engine.ts'
import { InsertStatements } from './insert-statements.ts'

/** Settings of the connections to PostgreSQL. */
interface PostgresSettings {
  readonly poolSize: number
  readonly databaseTimeoutMs: number
}

const longestMs = 3_600_000

/** The pool as Kysely takes it. */
async function postgresPool(url: string, { poolSize, databaseTimeoutMs: timeoutMs }: PostgresSettings): Promise<PostgresPool> {
  const pool = await openPostgresPool({ url, poolSize, timeoutMs })
  return { connect: async () => asClient(await pool.connect()), end: pool.end }
}

function asClient({ query, release }: PostgresConnection): PostgresPoolClient {
  // Changes of a large table have no time limit.
  const limitOf = (text: string) => (text.startsWith('create index') ? longestMs : undefined)
  const asked = (text: string, parameters: readonly unknown[]) => query(text, parameters.map(withoutNul), limitOf(text))
  return { query: asked as unknown as PostgresPoolClient['query'], release: () => release() }
}

// Any numbers work if every gateway uses the same.
const locks = { migrations: 7_839_201_001, records: 7_839_201_002 } as const

/** Opens PostgreSQL; nothing is sent before the first query. */
export function openPostgres(url: string, settings: PostgresSettings): Engine {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: () => postgresPool(url, settings) }) })
  const statements = new InsertStatements((number) => `$${number}`)
  const exclusively = (work: keyof typeof locks, task: (transaction: Kysely<Tables>) => Promise<void>): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(locks[work])})`.execute(transaction)
      await task(transaction)
    })
  return {
    name: 'postgres',
    db,
    transactionRecords: 500,
    // Rows stay locked until the end: several tasks in one transaction would lock them in another order than other gateways.
    taskTransactions: { tasks: 1, atOnce: Math.max(1, Math.floor(settings.poolSize / 2)) },
    types: {
      text: sql`text collate "C"`,
      integer: sql`bigint`,
      real: sql`double precision`,
      sequence: sql`bigint generated always as identity primary key`,
    },
    transaction: (task) => db.transaction().execute(task),
    migrate: (task) => exclusively('migrations', task),
    insert: (tables) =>
      exclusively('records', async (transaction) => {
        for (const rows of tables) {
          for (const { text, values } of statements.of(rows)) await transaction.executeQuery(CompiledQuery.raw(text, values))
        }
      }),
    // Data exceptions, broken constraints, and values beyond what the server can hold.
    isDataError: (error) => /^(22|23|54)[0-9A-Z]{3}$/.test(systemCode(error) ?? ''),
    // Serialization failures and deadlocks.
    isConflict: (error) => /^(40001|40P01)$/.test(systemCode(error) ?? ''),
    close: () => db.destroy(),
  }
}
