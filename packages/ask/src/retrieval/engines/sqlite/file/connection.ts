import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import { type Column, type RowOf, rowOf, selected } from './columns.ts'
import { isBusy, primaryCode, sqlite } from './unusable-file.ts'

/** A value for SQLite; a boolean would end the whole process in libsql 0.5. */
type Value = string | number | Uint8Array | null

/** A connection to a file, with cached statements. */
export interface Connection {
  /** Whether it does not notice changes by others. */
  readonly isBlind: boolean
  exec(text: string): void
  run(text: string, values?: readonly Value[]): void
  /** All rows of a selection: its columns, and what follows them in the statement. */
  rows<const Columns extends readonly Column[]>(columns: Columns, rest: string, values?: readonly Value[]): RowOf<Columns>[]
  /** A number that SQLite stores about the file. */
  pragma(name: 'application_id' | 'data_version' | 'user_version'): number
  close(): void
}

const busyTimeoutMs = 250
const openAttempts = 100

/** Opens a file for reading and writing, or for reading where its folder cannot be written. */
export function connect(path: string): Connection {
  for (let left = openAttempts; ; left--) {
    try {
      return prepared(path, false)
    } catch (error) {
      // Without the files of its write-ahead log, a file in a folder that cannot be written is readable only as one that never changes.
      if ([sqlite.cannotOpen, sqlite.readOnly].includes(primaryCode(error)))
        return prepared(`${pathToFileURL(path).href}?immutable=1`, true)
      // Switching a new file to a write-ahead log needs exclusive access and does not wait.
      if (left === 0 || !isBusy(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

function prepared(path: string, isBlind: boolean): Connection {
  const database = new Database(path, { timeout: busyTimeoutMs })
  try {
    return configured(database, isBlind)
  } catch (error) {
    database.close()
    throw error
  }
}

function configured(database: InstanceType<typeof Database>, isBlind: boolean): Connection {
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  const statement = (text: string): ReturnType<typeof database.prepare> => {
    const known = statements.get(text) ?? database.prepare(text)
    statements.set(text, known)
    return known
  }
  database.pragma(`busy_timeout = ${busyTimeoutMs}`)
  // Fails here for anything but a database.
  database.pragma('schema_version')
  database.pragma('cache_size = -16000')
  database.pragma('temp_store = memory')
  return {
    isBlind,
    exec: (text) => void database.exec(text),
    run: (text, values = []) => void statement(text).run(values),
    rows: (columns, rest, values = []) => {
      const rows = statement(`${selected(columns)} ${rest}`)
        .raw()
        .all(values) as unknown as unknown[][]
      return rows.map((row) => rowOf(columns, row))
    },
    pragma: (name) => (statement(`pragma ${name}`).raw().all() as unknown as [[number]])[0][0],
    close: () => {
      statements.clear()
      database.close()
    },
  }
}
