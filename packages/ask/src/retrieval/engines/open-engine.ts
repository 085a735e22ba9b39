import { ConfigurationError } from '@stickler/core'
import type { IndexEngine } from '../index-engine.ts'
import { postgresEngine } from './postgres/postgres-engine.ts'
import { sqliteEngine } from './sqlite/sqlite-engine.ts'

/** How an index is opened. */
export interface EngineOptions {
  /** Which of the indexes at the address; `default`. */
  readonly collection?: string
}

/** Opens the index at an address: a path or `file:` address of an index in a file, or of a PostgreSQL database. Nothing is reached or created before the first call. */
export async function openEngine(url: string, { collection = 'default' }: EngineOptions = {}): Promise<IndexEngine> {
  if (url.startsWith('file:')) return sqliteEngine(filePath(url), { collection })
  if (/^postgres(?:ql)?:\/\//.test(url)) return postgresEngine({ url, collection })
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(url))
    throw wrong(`no engine for addresses that begin with ${JSON.stringify(url.slice(0, url.indexOf(':') + 3))}`)
  if (url === '' || url.includes('\0')) throw wrong('name the file of the index')
  return sqliteEngine(url, { collection })
}

/** The path of `file:path` and `file:///path`. */
function filePath(url: string): string {
  const path = url.startsWith('file://') ? new URL(url).pathname : url.slice('file:'.length)
  if (path === '' || path === '/' || path.includes('\0')) throw wrong('name the file of the index after "file:"')
  return url.startsWith('file://') ? decodeURIComponent(path) : path
}

/** An address may hold a password, so it is not repeated. */
function wrong(message: string): ConfigurationError {
  return new ConfigurationError([{ path: ['retrieval', 'index'], message }])
}
