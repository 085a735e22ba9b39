import { fileURLToPath } from 'node:url'
import { ConfigurationError } from '@stickler/core'
import type { IndexEngine } from '../index-engine.ts'
import { elasticEngine } from './elastic/elastic-engine.ts'
import { postgresEngine } from './postgres/postgres-engine.ts'
import { sqliteEngine } from './sqlite/sqlite-engine.ts'

/** How an index is opened. */
export interface EngineOptions {
  /** Which of the indexes at the address; `default`. */
  readonly collection?: string
}

/** Opens the index at an address: a path or `file:` address of an index in a file, of a PostgreSQL database, or of an Elasticsearch or OpenSearch server. Nothing is reached or created before the first call. */
export async function openEngine(url: string, { collection = 'default' }: EngineOptions = {}): Promise<IndexEngine> {
  if (url.startsWith('file:')) return sqliteEngine(filePath(url), { collection })
  if (/^postgres(?:ql)?:\/\//.test(url)) return postgresEngine({ url, collection })
  if (/^(?:elasticsearch|opensearch)\+https?:\/\//.test(url)) return elasticEngine({ url, collection })
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(url))
    throw wrong(`no engine for addresses that begin with ${JSON.stringify(url.slice(0, url.indexOf(':') + 3))}`)
  return sqliteEngine(checkedPath(url), { collection })
}

/** The path of `file:path` and `file:///path`. */
function filePath(url: string): string {
  if (!url.startsWith('file://')) return checkedPath(url.slice('file:'.length))
  try {
    return checkedPath(fileURLToPath(url))
  } catch {
    throw wrong('write the address of a file as file:path/to/index.db')
  }
}

function checkedPath(path: string): string {
  if (path === '' || path.endsWith('/') || path.includes('\0')) throw wrong('name the file of the index')
  return path
}

/** An address may hold a password, so it is not repeated. */
function wrong(message: string): ConfigurationError {
  return new ConfigurationError([{ path: ['retrieval', 'index'], message }])
}
