import { resolve } from 'node:path'
import type { IndexEngine } from '../../index-engine.ts'
import { checkedDocuments } from '../checked-documents.ts'
import { queryTerms } from '../stored-terms.ts'
import { storedText } from '../stored-text.ts'
import { ThreadQueue } from './thread-queue.ts'

/** What can be set of an index in a file. */
export interface SqliteSettings {
  readonly collection: string
  /** Most calls of a kind that wait for one before them; 1000. */
  readonly queue?: number
  /** Milliseconds that a search may take; 30,000. */
  readonly timeoutMs?: number
}

/** Milliseconds for one batch of documents, which may have to wait for another writer. */
const writeMs = 300_000

/**
 * An index in a SQLite file, created by the first write. Text, vectors and writing have a thread
 * each, so that none blocks another or the event loop.
 */
export function sqliteEngine(file: string, { collection, queue = 1000, timeoutMs = 30_000 }: SqliteSettings): IndexEngine {
  const shared = { path: resolve(file), collection: storedText(collection), queue }
  const [text, vectors, writing] = [
    new ThreadQueue({ ...shared, timeoutMs }),
    new ThreadQueue({ ...shared, timeoutMs }),
    new ThreadQueue({ ...shared, timeoutMs: writeMs }),
  ]
  return {
    searchesAtOnce: 1,
    searchText: async (terms, limit, signal) => {
      const asked = queryTerms(terms)
      return asked.length === 0 || limit <= 0 ? [] : text.run(signal, 'searchText', asked, limit)
    },
    searchVector: (vector, embedding, limit, signal) => vectors.run(signal, 'searchVector', vector.slice(), embedding, limit),
    fingerprints: (below, signal) => text.run(signal, 'fingerprints', below),
    facts: (signal) => text.run(signal, 'facts'),
    replace: async (documents, embedding, signal) => writing.run(signal, 'replace', checkedDocuments(documents, embedding)),
    remove: (paths, signal) => writing.run(signal, 'remove', paths.map(storedText)),
    close: async () => {
      // The writer closes last, so that it can tidy up the file that nobody else uses.
      await Promise.all([text.close(), vectors.close()])
      await writing.close()
    },
  }
}
