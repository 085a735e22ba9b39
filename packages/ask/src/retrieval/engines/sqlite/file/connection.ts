import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import { codeOf, isBusy } from './unusable-file.ts'

/** A value as SQLite takes it; a boolean would end the whole process in libsql 0.5. */
export type Value = string | number | Uint8Array | null

/** A connection to a file, with its statements kept. */
export interface Connection {
  exec(text: string): void
  run(text: string, values?: readonly Value[]): void
  /** All rows, as arrays of their columns. */
  rows<Row extends readonly unknown[]>(text: string, values?: readonly Value[]): Row[]
  close(): void
}

const busyTimeoutMs = 250
const openAttempts = 100

/** Opens a file for reading and writing, or for reading where its folder cannot be written. */
export function connect(path: string): Connection {
  for (let left = openAttempts; ; left--) {
    try {
      return prepared(path)
    } catch (error) {
      // Without the files of its write-ahead log, a file in a folder that cannot be written is readable only as one that never changes.
      if (/^SQLITE_(CANTOPEN|READONLY)/.test(codeOf(error))) return prepared(`${pathToFileURL(path).href}?immutable=1`)
      // Switching a new file to a write-ahead log needs it alone and does not wait.
      if (left === 0 || !isBusy(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

function prepared(path: string): Connection {
  const database = new Database(path, { timeout: busyTimeoutMs })
  try {
    return configured(database)
  } catch (error) {
    database.close()
    throw error
  }
}

function configured(database: InstanceType<typeof Database>): Connection {
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  const statement = (text: string): ReturnType<typeof database.prepare> => {
    const known = statements.get(text) ?? database.prepare(text)
    statements.set(text, known)
    return known
  }
  database.pragma(`busy_timeout = ${busyTimeoutMs}`)
  // Fails here for what is not a database.
  database.pragma('schema_version')
  database.pragma('cache_size = -16000')
  database.pragma('temp_store = memory')
  return {
    exec: (text) => void database.exec(text),
    run: (text, values = []) => void statement(text).run(values),
    rows: <Row extends readonly unknown[]>(text: string, values: readonly Value[] = []) =>
      statement(text).raw().all(values) as unknown as Row[],
    close: () => {
      statements.clear()
      database.close()
    },
  }
}
