import type { IndexEngine, IndexFacts } from '../../index-engine.ts'
import { checkedDocuments } from '../checked-documents.ts'
import { folderPath, storedText } from '../stored-text.ts'
import { isMissing, openDatabase, type Query } from './database.ts'
import { searchText } from './search-text.ts'
import { embeddingOf, searchVector, type VectorFacts } from './search-vector.ts'
import { tablesOf } from './tables.ts'
import { ensureTables, removeDocuments, replaceDocuments } from './write.ts'

/** Where a PostgreSQL index is. */
interface PostgresEngineSettings {
  /** Such as `postgres://user:password@host/database`. */
  readonly url: string
  /** `default`. */
  readonly collection?: string
  /** Most connections; 4. */
  readonly poolSize?: number
  /** How long a search may take; writing may take twelve times as long. 10 s. */
  readonly timeoutMs?: number
}

/**
 * An index in PostgreSQL: full text over our terms with BM25, vectors through pgvector where
 * available. The tables are created with the first document.
 */
export function postgresEngine({ url, collection = 'default', poolSize = 4, timeoutMs = 10_000 }: PostgresEngineSettings): IndexEngine {
  const database = openDatabase({ url, poolSize, timeoutMs })
  const tables = tablesOf(collection)

  /** A collection that was never written is empty. */
  function read<Result>(work: (query: Query) => Promise<Result>, none: Result, signal?: AbortSignal): Promise<Result> {
    return database.read(work, signal).catch((error: unknown) => (isMissing(error) ? none : Promise.reject(error)))
  }

  async function write(work: (query: Query) => Promise<void>, signal?: AbortSignal): Promise<void> {
    await database.write((query) => ensureTables(query, tables), signal)
    await database.write(work, signal)
  }

  return {
    searchText: (terms, limit, signal) => read((query) => searchText(query, tables, terms, limit), [], signal),
    searchVector: (vector, name, limit, signal) => read((query) => searchVector(query, tables, vector, name, limit), [], signal),
    async fingerprints(below, signal) {
      const folder = folderPath(below)
      const found = await read(
        (query) =>
          query<{ path: string; fingerprint: string }>(
            `select path, fingerprint from ${tables.documents} where $1 = '' or path = $1 or (path >= $1 || '/' and path < $1 || '0')`,
            [folder],
          ),
        [],
        signal,
      )
      return new Map(found.map(({ path, fingerprint }) => [path, fingerprint]))
    },
    async replace(documents, name, signal) {
      signal?.throwIfAborted()
      const checked = checkedDocuments(documents, name)
      if (checked.documents.length > 0) await write((query) => replaceDocuments(query, tables, checked), signal)
    },
    async remove(paths, signal) {
      if (paths.length === 0) return signal?.throwIfAborted()
      await write((query) => removeDocuments(query, tables, paths.map(storedText)), signal)
    },
    facts: (signal) => read((query) => facts(query, tables), { documents: 0, chunks: 0 }, signal),
    close: () => database.close(),
  }
}

async function facts(query: Query, { meta, documents }: ReturnType<typeof tablesOf>): Promise<IndexFacts> {
  type Row = VectorFacts & { readonly documents: number; readonly chunks: number }
  const [row] = await query<Row>(
    `select (select count(*) from ${documents}) as documents, chunks, storage, embedding, dimensions from ${meta}`,
  )
  const embedding = row && embeddingOf(row)
  return { documents: row?.documents ?? 0, chunks: row?.chunks ?? 0, ...(embedding && { embedding }) }
}
