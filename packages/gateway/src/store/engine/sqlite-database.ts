import type { SqliteDatabase, SqliteStatement } from 'kysely'
import Database from 'libsql'

const statementLimit = 200

/** Opens a SQLite file as kysely wants it, with prepared statements kept and every parameter made safe. */
export function sqliteDatabase(path: string, busyTimeoutMs: number): SqliteDatabase {
  const database = new Database(path, { timeout: busyTimeoutMs })
  database.pragma(`busy_timeout = ${busyTimeoutMs}`)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  database.pragma('foreign_keys = ON')
  // Indexes touch pages all over the file: more of them in memory and fewer checkpoints make batches cheaper.
  database.pragma('cache_size = -16000')
  database.pragma('wal_autocheckpoint = 4000')
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => {
      statements.clear()
      database.close()
    },
    prepare(text) {
      const known = statements.get(text)
      if (known) return known
      const oldest = statements.size >= statementLimit ? statements.keys().next().value : undefined
      if (oldest !== undefined) statements.delete(oldest)
      const statement = safeStatement(database.prepare(text))
      statements.set(text, statement)
      return statement
    },
  }
}

function safeStatement(statement: ReturnType<InstanceType<typeof Database>['prepare']>): SqliteStatement {
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
