import { createHash } from 'node:crypto'
import { ConfigurationError } from '@stickler/core'
import { because, clamp, redactor } from '@stickler/core/internal'
import type { IndexEngine } from '../../index-engine.ts'
import { RetrieverUnavailable } from '../../retriever.ts'
import { checkEmbedding, checkedDocuments, checkedQuery, type Embedding } from '../checked-documents.ts'
import { folderPath, queryTerms, storedText } from '../stored-text.ts'

type Fields = Readonly<Record<string, unknown>>
interface Reply {
  readonly error?: { readonly type: string; readonly reason: string }
  readonly items?: readonly { readonly index: { readonly error?: { readonly reason: string } } }[]
  readonly hits?: {
    readonly total: { readonly value: number }
    readonly hits: readonly { readonly _score: number; readonly _source: Source; readonly sort?: unknown }[]
  }
  readonly aggregations?: { readonly chunks: { readonly value: number } }
}
type Source = Readonly<Record<'urn' | 'text' | 'headings' | 'path' | 'fingerprint' | 'embedder', string>> & { readonly dimensions: number }

const pageSize = 5000
/** Entries of documents; the others are passages. */
const isDocument = { exists: { field: 'chunks' } }

/** An index in Elasticsearch or OpenSearch, at an address such as `elasticsearch+https://user:password@host:9200` or `opensearch+https://host:9200?api_key=…`. The passages of a new document are written before those of the old one are removed; for a moment both are found. */
export function elasticEngine(url: string, collection: string, timeoutMs = 10_000, today: () => number = Date.now): IndexEngine {
  const { product, base, authorization, redact } = readAddress(url)
  // Part of the name: another layout has another index.
  const index = `/stickler-index2-${collection}`

  /** Sends a request; nothing for an index that was never written. */
  async function send(method: string, path: string, body: unknown, signal?: AbortSignal, tolerated?: string): Promise<Reply> {
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(base + path, {
        method,
        headers: { 'content-type': Array.isArray(body) ? 'application/x-ndjson' : 'application/json', ...authorization },
        body: Array.isArray(body) ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      const reply = (await response.json()) as Reply
      if (!response.ok && ![tolerated, 'index_not_found_exception'].includes(reply.error?.type ?? ''))
        throw new Error(reply.error?.reason ?? `status ${response.status}`)
      const failed = reply.items?.flatMap(({ index: { error } }) => error ?? []) ?? []
      if (failed.length > 0) throw new Error(`${failed.length} of ${reply.items?.length} entries: ${failed[0]?.reason}`)
      return reply
    } catch (error) {
      signal?.throwIfAborted()
      const { message, cause } = error as Error
      const reason = timeout.aborted ? `no answer within ${timeoutMs} ms` : cause instanceof Error ? cause.message : message
      throw new RetrieverUnavailable(because([['failed', `index in ${product}`]], clamp(redact(reason), 200)))
    }
  }
  const search = (body: Fields, signal?: AbortSignal) => send('POST', `${index}/_search`, body, signal)
  const hits = async (body: Fields, signal?: AbortSignal, scored = (score: number) => score) => {
    const reply = await search({ sort: [{ _score: 'desc' }, { urn: 'asc' }], _source: ['urn', 'text', 'headings'], ...body }, signal)
    return (reply.hits?.hits ?? []).map(({ _score, _source: { urn, text, headings } }) => {
      return { urn, text, headings: JSON.parse(headings) as string[], score: scored(_score) }
    })
  }
  const remove = (query: Fields, signal?: AbortSignal) =>
    send('POST', `${index}/_delete_by_query?refresh=true&conflicts=proceed`, { query }, signal)

  /** The embedder of the passages, but for those of some documents. */
  async function embedding(signal?: AbortSignal, without: readonly string[] = []): Promise<Embedding | undefined> {
    const query = { bool: { filter: [{ exists: { field: 'embedder' } }], must_not: [{ terms: { path: without } }] } }
    const [entry] = (await search({ size: 1, query }, signal)).hits?.hits ?? []
    return entry && { name: entry._source.embedder, dimensions: entry._source.dimensions }
  }

  return {
    async searchText(terms, limit, signal) {
      const should = queryTerms(terms).map((term) => ({ term: { terms: term } }))
      return should.length === 0 || limit < 1 ? [] : hits({ size: limit, query: { bool: { should, minimum_should_match: 1 } } }, signal)
    },
    async searchVector(vector, name, limit, signal) {
      const asked = checkedQuery(vector, name, await embedding(signal))
      if (asked === undefined || limit < 1) return []
      const [field, near] = [`vector_${asked.length}`, [...asked]]
      const knn = { field, query_vector: near, k: limit, num_candidates: Math.min(10_000, limit * 10) }
      const nearest = product === 'elasticsearch' ? { knn } : { query: { knn: { [field]: { vector: near, k: limit } } } }
      return hits({ size: limit, ...nearest }, signal, (score) => 2 * score - 1)
    },
    async fingerprints(below, signal) {
      const folder = folderPath(below)
      const within = { bool: { should: [{ term: { path: folder } }, { prefix: { path: `${folder}/` } }], minimum_should_match: 1 } }
      const query = { bool: { filter: folder === '' ? [isDocument] : [isDocument, within] } }
      const found = new Map<string, string>()
      for (let after: unknown, count = pageSize; count === pageSize; ) {
        const page = { size: pageSize, query, sort: [{ path: 'asc' }], ...(after === undefined ? {} : { search_after: after }) }
        const entries = (await search(page, signal)).hits?.hits ?? []
        for (const { _source } of entries) found.set(_source.path, _source.fingerprint)
        after = entries.at(-1)?.sort
        count = entries.length
      }
      return found
    },
    async replace(given, name, signal) {
      signal?.throwIfAborted()
      const { documents, embedding: own } = checkedDocuments(given, name)
      if (documents.length === 0) return
      const settings = { number_of_shards: 1, ...(product === 'opensearch' && { 'index.knn': true }) }
      await send('PUT', index, { settings, mappings: { dynamic: false, properties } }, signal, 'resource_already_exists_exception')
      if (own !== undefined) {
        const paths = documents.map(({ path }) => path)
        checkEmbedding(own, await embedding(signal, paths))
        await send('PUT', `${index}/_mapping`, { properties: vectorField(product, own.dimensions) }, signal)
      }
      const written = today()
      const lines = documents.flatMap(({ path, fingerprint, chunks }) => {
        const entry = (id: string, fields: Fields) => [{ index: { _index: index.slice(1), _id: id } }, { path, fingerprint, ...fields }]
        const passages = chunks.flatMap(({ urn, text, headings, terms, vector }, at) => {
          const vectors = vector && own && { embedder: own.name, dimensions: own.dimensions, [`vector_${vector.length}`]: [...vector] }
          const words = { headings: JSON.stringify(headings), terms: terms.join(' ') }
          return entry(`${hash(path + fingerprint)}-${at}`, { written, urn, text, ...words, ...vectors })
        })
        return [...passages, ...entry(hash(path), { chunks: chunks.length })]
      })
      await send('POST', '/_bulk?refresh=true', lines, signal)
      // Of writers at the same time the last to write the entry of a document has it. Passages that are newer are somebody's who is about to.
      const entries = { bool: { filter: [isDocument, { terms: { path: documents.map(({ path }) => path) } }] } }
      const isOlder = { range: { written: { lt: written + 1 } } }
      const older = ((await search({ size: documents.length, query: entries }, signal)).hits?.hits ?? []).map(({ _source }) => ({
        bool: { filter: [{ term: { path: _source.path } }, isOlder], must_not: [{ term: { fingerprint: _source.fingerprint } }] },
      }))
      await remove({ bool: { should: older, minimum_should_match: 1 } }, signal)
    },
    async remove(paths, signal) {
      signal?.throwIfAborted()
      if (paths.length > 0) await remove({ terms: { path: paths.map(storedText) } }, signal)
    },
    async facts(signal) {
      const aggs = { chunks: { sum: { field: 'chunks' } } }
      const { hits: found, aggregations } = await search({ size: 0, track_total_hits: true, query: isDocument, aggs }, signal)
      const known = await embedding(signal)
      return { documents: found?.total.value ?? 0, chunks: aggregations?.chunks.value ?? 0, ...(known && { embedding: known }) }
    },
    close: async () => {},
  }
}

const keyword = { type: 'keyword' }
const unsearched = { type: 'text', index: false }
const properties = {
  ...{ path: keyword, fingerprint: keyword, urn: keyword, embedder: keyword, text: unsearched, headings: unsearched },
  ...{ written: { type: 'long' }, chunks: { type: 'integer' }, dimensions: { type: 'integer' } },
  terms: { type: 'text', analyzer: 'whitespace', index_options: 'freqs' },
}

function vectorField(product: string, dimensions: number): Fields {
  const method = { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' }
  const elastic = { type: 'dense_vector', dims: dimensions, index: true, similarity: 'cosine' }
  return { [`vector_${dimensions}`]: product === 'opensearch' ? { type: 'knn_vector', dimension: dimensions, method } : elastic }
}

/** Paths may be longer than ids. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Reads an address; errors do not repeat it, because it may contain a password. */
function readAddress(url: string) {
  const [, name, rest = ''] = /^(elasticsearch|opensearch)\+(https?:\/\/.*)$/.exec(url) ?? []
  const message = 'must be an address such as elasticsearch+https://host:9200 or opensearch+https://host:9200'
  if (!URL.canParse(rest)) throw new ConfigurationError([{ path: ['retrieval', 'index'], message }])
  const product: 'elasticsearch' | 'opensearch' = name === 'opensearch' ? name : 'elasticsearch'
  const { protocol, host, pathname, searchParams, username, password } = new URL(rest)
  const [key, user, secret] = [searchParams.get('api_key') ?? '', decodeURIComponent(username), decodeURIComponent(password)]
  const basic = Buffer.from(`${user}:${secret}`).toString('base64')
  const authorization = key === '' ? (user === '' ? {} : { authorization: `Basic ${basic}` }) : { authorization: `ApiKey ${key}` }
  const base = `${protocol}//${host}${pathname.replace(/\/$/, '')}`
  return { product, base, authorization, redact: redactor([key, password, secret, basic]) }
}
