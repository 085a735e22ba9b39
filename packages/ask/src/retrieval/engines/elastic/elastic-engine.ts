import type { IndexEngine, IndexFacts } from '../../index-engine.ts'
import { folderPath } from '../below.ts'
import { checkedDocuments } from '../checked-documents.ts'
import { storedText } from '../stored-text.ts'
import { readSearchAddress } from './address.ts'
import { collectionOf } from './collection.ts'
import { entriesOf, type StoredDocument, sumOf } from './replies.ts'
import { embeddingOf, searchText, searchVector } from './search.ts'
import { openWire, SearchRefused } from './wire.ts'
import { removeDocuments, replaceDocuments, type Target } from './write.ts'

/** Where an index in Elasticsearch or OpenSearch is. */
export interface ElasticEngineSettings {
  /** Such as `elasticsearch+https://user:password@host:9200` or `opensearch+https://host:9200?api_key=…`. */
  readonly url: string
  /** `default`. */
  readonly collection?: string
  /** How long one request may take; 10 s. */
  readonly timeoutMs?: number
  /** Milliseconds since 1970. */
  readonly today?: () => number
}

const documentsAtOnce = 5000

/**
 * An index in Elasticsearch or OpenSearch through the official client, which must be installed.
 * Each document is found in its old or its new version; several are not switched at once.
 */
export function elasticEngine({
  url,
  collection: name = 'default',
  timeoutMs = 10_000,
  today = Date.now,
}: ElasticEngineSettings): IndexEngine {
  const address = readSearchAddress(url)
  const { product } = address
  const wire = openWire(address, timeoutMs)
  const collection = collectionOf(name)
  const target = (signal?: AbortSignal): Target => ({ wire, product, collection, ...(signal && { signal }) })

  return {
    searchText: (terms, limit, signal) => orNone(searchText(wire, collection, terms, limit, signal), []),
    searchVector: (vector, embedding, limit, signal) =>
      orNone(searchVector(wire, product, collection, vector, embedding, limit, signal), []),
    fingerprints: (below, signal) => orNone(fingerprints(folderPath(below), signal), new Map()),
    async replace(documents, embedding, signal) {
      signal?.throwIfAborted()
      const checked = checkedDocuments(documents, embedding)
      if (checked.documents.length > 0) await replaceDocuments(target(signal), checked, today())
    },
    async remove(paths, signal) {
      signal?.throwIfAborted()
      if (paths.length > 0) await orNone(removeDocuments(target(signal), paths.map(storedText)), undefined)
    },
    facts: (signal) => orNone(facts(signal), { documents: 0, chunks: 0 }),
    close: () => wire.close(),
  }

  async function fingerprints(folder: string, signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    const query =
      folder === ''
        ? isDocument
        : { bool: { should: [{ term: { path: folder } }, { prefix: { path: `${folder}/` } }], minimum_should_match: 1 } }
    let after: unknown
    for (;;) {
      const body = {
        size: documentsAtOnce,
        query,
        sort: [{ path: 'asc' }],
        _source: ['path', 'fingerprint'],
        ...(after === undefined ? {} : { search_after: after }),
      }
      const entries = entriesOf<StoredDocument>(await wire.send({ method: 'POST', path: `/${collection.documents}/_search`, body }, signal))
      for (const { source } of entries) found.set(source.path, source.fingerprint)
      after = entries.at(-1)?.sort
      if (entries.length < documentsAtOnce) return found
    }
  }

  async function facts(signal?: AbortSignal): Promise<IndexFacts> {
    const body = { size: 0, track_total_hits: true, query: isDocument, aggs: { chunks: { sum: { field: 'chunks' } } } }
    const reply = await wire.send({ method: 'POST', path: `/${collection.documents}/_search`, body }, signal)
    const { hits } = reply as { readonly hits?: { readonly total?: { readonly value?: number } } }
    const embedding = await embeddingOf(wire, collection, signal)
    return { documents: hits?.total?.value ?? 0, chunks: sumOf(reply, 'chunks'), ...(embedding && { embedding }) }
  }
}

const isDocument = { exists: { field: 'path' } }

/** A collection that was never written is empty. */
async function orNone<Result>(work: Promise<Result>, none: Result): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof SearchRefused && error.type === 'index_not_found_exception') return none
    throw error
  }
}
