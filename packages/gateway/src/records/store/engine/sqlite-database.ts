import type { SqliteDatabase, SqliteStatement } from 'kysely'
import Database from 'libsql'
import { type ColumnValue, withoutNul } from '../rows/values.ts'

const statementLimit = 200

/** A SQLite file for kysely, and for statements that bypass it. */
export interface OpenDatabase extends SqliteDatabase {
  /** Runs statements without parameters that return no rows. */
  exec(text: string): void
  /** Writes values that are already safe. */
  write(text: string, values: readonly ColumnValue[]): void
}

/** Options for opening a SQLite file. */
export interface SqliteSettings {
  readonly busyTimeoutMs: number
  /** Whether the file must exist and is not changed. */
  readonly isRead?: boolean
}

/** Opens a SQLite file; statements are cached, and every parameter is made safe. */
export function sqliteDatabase(path: string, { busyTimeoutMs, isRead = false }: SqliteSettings): OpenDatabase {
  const database = new Database(path, { timeout: busyTimeoutMs })
  try {
    prepareConnection(database, busyTimeoutMs, isRead)
  } catch (error) {
    // Otherwise each new attempt would leave another open connection.
    database.close()
    throw error
  }
  const statements = new Map<string, Prepared>()
  const prepare = (text: string): Prepared => {
    const known = statements.get(text)
    if (known) return known
    const oldest = statements.size >= statementLimit ? statements.keys().next().value : undefined
    if (oldest !== undefined) statements.delete(oldest)
    const statement = database.prepare(text)
    const prepared = { statement, safe: safeStatement(statement) }
    statements.set(text, prepared)
    return prepared
  }
  return {
    prepare: (text) => prepare(text).safe,
    write: (text, values) => void prepare(text).statement.run(values),
    exec: (text) => void database.exec(text),
    close: () => {
      statements.clear()
      database.close()
    },
  }
}

function prepareConnection(database: InstanceType<typeof Database>, busyTimeoutMs: number, isRead: boolean): void {
  database.pragma(`busy_timeout = ${busyTimeoutMs}`)
  if (isRead) return
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('foreign_keys = ON')
  // Ids and times grow, so batches touch the ends of indexes: a larger cache does not help, fewer checkpoints do.
  database.pragma('cache_size = -4000')
  database.pragma('wal_autocheckpoint = 4000')
}

/** Rolls back a transaction that failed. */
export function rollBack(database: OpenDatabase): void {
  try {
    database.exec('rollback')
  } catch {
    // Some errors have already ended the transaction.
  }
}

type Statement = ReturnType<InstanceType<typeof Database>['prepare']>

interface Prepared {
  readonly statement: Statement
  readonly safe: SqliteStatement
}

function safeStatement(statement: Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(parameters.map(safeParameter)),
    run: (parameters) => statement.run(parameters.map(safeParameter)),
    iterate: (parameters) => statement.iterate(parameters.map(safeParameter)),
  }
}

/** In libsql 0.5 a boolean parameter crashes the process. */
function safeParameter(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : withoutNul(value ?? null)
}
