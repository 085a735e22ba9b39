import type { SqliteDatabase, SqliteStatement } from 'kysely'
import Database from 'libsql'
import type { ColumnValue } from '../rows/values.ts'

const statementLimit = 200

/** A SQLite file as kysely wants it, and for what need not go through kysely. */
export interface OpenDatabase extends SqliteDatabase {
  /** Runs statements without parameters and without rows. */
  exec(text: string): void
  /** Writes with values that are safe already. */
  write(text: string, values: readonly ColumnValue[]): void
}

/** How a SQLite file is opened. */
export interface SqliteSettings {
  readonly busyTimeoutMs: number
  /** Whether the file must be there and stays as it is. */
  readonly isRead?: boolean
}

/** Opens a SQLite file, with prepared statements kept and every parameter made safe. */
export function sqliteDatabase(path: string, { busyTimeoutMs, isRead = false }: SqliteSettings): OpenDatabase {
  const database = new Database(path, { timeout: busyTimeoutMs })
  try {
    prepareConnection(database, busyTimeoutMs, isRead)
  } catch (error) {
    // Who tries again would otherwise have it open once more each time.
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
  // Ids and times grow, so batches touch the ends of indexes: more pages in memory bring nothing, fewer checkpoints do.
  database.pragma('cache_size = -4000')
  database.pragma('wal_autocheckpoint = 4000')
}

/** Ends a transaction that failed. */
export function rollBack(database: OpenDatabase): void {
  try {
    database.exec('rollback')
  } catch {
    // Some errors have ended the transaction already.
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

/** A boolean as parameter ends the whole process in libsql 0.5, and a text is cut at NUL. */
function safeParameter(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
  if (typeof value === 'boolean') return value ? 1 : 0
  return value ?? null
}
