import { ConfigurationError } from '@stickler/core'
import type { IndexEngine } from '../index-engine.ts'
import { collectionProblem, readIndexAddress } from './index-address.ts'

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
  return index.engine.open('path' in index ? index.path : index.url, collection)
}
