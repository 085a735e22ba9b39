import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** Settings of the connections to PostgreSQL. */
export interface PostgresSettings {
  readonly poolSize: number
  readonly databaseTimeoutMs: number
}

const longestMs = 3_600_000
const int8 = 20
const numeric = 1700

/** A bounded pool that discards a connection after any error that the server did not report itself. */
export async function postgresPool(url: string, { poolSize, databaseTimeoutMs }: PostgresSettings): Promise<PostgresPool> {
  // Other stores do not load the driver.
  const { Pool, types } = (await import('pg')).default
  const pool = new Pool({
    connectionString: url,
    application_name: 'stickler',
    max: poolSize,
    connectionTimeoutMillis: databaseTimeoutMs,
    statement_timeout: databaseTimeoutMs,
    idle_in_transaction_session_timeout: databaseTimeoutMs,
    query_timeout: databaseTimeoutMs + 1000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    allowExitOnIdle: true,
    // Counts and times fit in a double; strings would be concatenated instead of added.
    types: { getTypeParser: (type, format) => (type === int8 || type === numeric ? Number : types.getTypeParser(type, format)) },
  })
  // Without a listener the loss of an idle connection would end the process.
  pool.on('error', () => {})
  return { connect: async () => guarded(await pool.connect()), end: () => pool.end() }
}

function guarded(client: pg.PoolClient): PostgresPoolClient {
  let broken = false
  const lost = () => {
    broken = true
  }
  // The pool listens only while a connection is idle; without a listener the loss of this one would end the process.
  client.on('error', lost)
  const query = async (text: string, parameters: readonly unknown[]) => {
    try {
      // Changes of a large table have no time limit.
      const patience = text.startsWith('create index') || text.startsWith('/* slow */') ? { query_timeout: longestMs } : {}
      return await client.query({ text, values: parameters.map(safeParameter), ...patience } as pg.QueryConfig)
    } catch (error) {
      broken ||= !(error instanceof Error && 'severity' in error && error.severity === 'ERROR')
      throw error
    }
  }
  const release = () => {
    client.release(broken)
    client.off('error', lost)
  }
  return { query: query as unknown as PostgresPoolClient['query'], release }
}

/** PostgreSQL rejects NUL in texts. */
function safeParameter(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}
