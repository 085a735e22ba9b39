import { ConfigurationError } from '@stickler/core'
import type { IndexEngine } from '../index-engine.ts'
import { elasticEngine } from './elastic/elastic-engine.ts'
import { collectionProblem, readIndexAddress } from './index-address.ts'
import { postgresEngine } from './postgres/postgres-engine.ts'
import { sqliteEngine } from './sqlite/sqlite-engine.ts'

/** How an index is opened. */
export interface EngineOptions {
  /** Which of the indexes at the address; `default`. */
  readonly collection?: string
}

/** Opens the index at an address: a path or `file:` address of an index in a file, of a PostgreSQL database, or of an Elasticsearch or OpenSearch server. Nothing is reached or created before the first call. */
export async function openEngine(address: string, { collection = 'default' }: EngineOptions = {}): Promise<IndexEngine> {
  const problem = collectionProblem(collection)
  if (problem !== undefined) throw new ConfigurationError([{ path: ['retrieval', 'collection'], message: problem }])
  const index = readIndexAddress(address)
  if (index.kind === 'sqlite') return sqliteEngine(index.path, { collection })
  return index.kind === 'postgres' ? postgresEngine({ url: index.url, collection }) : elasticEngine({ url: index.url, collection })
}
