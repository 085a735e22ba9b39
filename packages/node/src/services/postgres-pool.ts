/** How PostgreSQL is reached. */
interface PostgresPoolSettings {
  readonly url: string
  /** Most connections. */
  readonly poolSize: number
  /** Milliseconds for connecting, and for a statement. */
  readonly timeoutMs: number
  /** Milliseconds for a transaction between its statements, and for statements with a longer limit of their own; `timeoutMs` unless given. */
  readonly transactionMs?: number
}

/** A connection for one piece of work. */
export interface PostgresConnection {
  /** Runs one statement; `timeoutMs` replaces how long its reply may take. */
  query(text: string, values: readonly unknown[], timeoutMs?: number): Promise<{ readonly rows: unknown[] }>
  /** Gives it back, or throws it away: when that is wanted, and when anything but an error of the server went wrong on it. */
  release(isBroken?: boolean): void
}

/** A bounded pool of connections. */
interface PostgresConnections {
  connect(): Promise<PostgresConnection>
  end(): Promise<void>
}

const int8 = 20
const numeric = 1700

/** Opens a pool, which connects on first use; the driver is loaded here, so that other databases do not load it. */
export async function openPostgresPool(settings: PostgresPoolSettings): Promise<PostgresConnections> {
  const { url, poolSize, timeoutMs, transactionMs = timeoutMs } = settings
  const { Pool, types } = (await import('pg')).default
  const pool = new Pool({
    connectionString: url,
    application_name: 'stickler',
    max: poolSize,
    connectionTimeoutMillis: timeoutMs,
    statement_timeout: timeoutMs,
    idle_in_transaction_session_timeout: transactionMs,
    query_timeout: transactionMs + 1000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    allowExitOnIdle: true,
    // Counts and times fit in a double; as strings they would be added like strings.
    types: { getTypeParser: (type, format) => (type === int8 || type === numeric ? Number : types.getTypeParser(type, format)) },
  })
  // Without a listener the loss of an idle connection would end the process.
  pool.on('error', () => {})
  return {
    async connect() {
      const client = await pool.connect()
      let isLost = false
      const lost = (): void => {
        isLost = true
      }
      // The pool listens only while a connection is idle; without a listener the loss of this one would end the process.
      client.on('error', lost)
      return {
        async query(text, values, limitMs) {
          try {
            const query = { text, values: [...values], ...(limitMs === undefined ? {} : { query_timeout: limitMs }) }
            return await client.query(query)
          } catch (error) {
            isLost ||= !(isServerError(error) && error.severity === 'ERROR')
            throw error
          }
        },
        release(isBroken = false) {
          client.release(isLost || isBroken)
          client.off('error', lost)
        },
      }
    },
    end: () => pool.end(),
  }
}

/** Whether the server itself reported an error: only its errors have a severity. */
export function isServerError(error: unknown): error is Error & { readonly severity: unknown; readonly code?: string } {
  return error instanceof Error && 'severity' in error
}
