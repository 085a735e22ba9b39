import type { Hit } from '../../index-engine.ts'
import { checkEmbedding, checkVector } from '../checked-documents.ts'
import type { Embedding } from '../embedding-problems.ts'
import { norm } from '../sqlite/vectors/quantized.ts'
import { queryTerms } from '../stored-terms.ts'
import { urnOrder } from '../urn-order.ts'
import type { SearchAddress } from './address.ts'
import { type Collection, documentId, metaId, vectorField } from './collection.ts'
import { type Entry, entriesOf, fetchedOf, type StoredDocument } from './replies.ts'
import type { Wire } from './wire.ts'

interface StoredChunk {
  readonly path: string
  readonly generation: string
  readonly urn: string
  readonly text: string
  /** A list in JSON. */
  readonly headings: string
}

const shownFields = ['path', 'generation', 'urn', 'text', 'headings']
const mostFound = 10_000
/** Passages of older generations may be found too, until they are deleted. */
const extra = 50

/** Finds by the server's BM25. */
export async function searchText(
  wire: Wire,
  collection: Collection,
  terms: readonly string[],
  limit: number,
  signal?: AbortSignal,
): Promise<Hit[]> {
  const asked = queryTerms(terms)
  if (asked.length === 0 || limit < 1) return []
  const should = asked.map((term) => ({ term: { terms: term } }))
  const body = { ...page(limit), query: { bool: { should, minimum_should_match: 1 } } }
  const reply = await wire.send({ method: 'POST', path: `/${collection.chunks}/_search`, body }, signal)
  return current(wire, collection, entriesOf(reply), limit, (score) => score, signal)
}

/** Finds by the server's search for nearest neighbours. */
export async function searchVector(
  wire: Wire,
  product: SearchAddress['product'],
  collection: Collection,
  vector: Float32Array,
  name: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Hit[]> {
  const embedding = await embeddingOf(wire, collection, signal)
  if (embedding === undefined) return []
  checkEmbedding({ name, dimensions: vector.length }, embedding)
  checkVector(vector, embedding.dimensions, 'the vector of the query')
  if (limit < 1 || vector.every((value) => value === 0)) return []
  const field = vectorField(vector.length)
  const k = Math.min(mostFound, limit + extra)
  const query = unit(vector)
  const near =
    product === 'elasticsearch'
      ? { knn: { field, query_vector: query, k, num_candidates: Math.min(mostFound, Math.max(4 * k, 500)) } }
      : { query: { knn: { [field]: { vector: query, k } } } }
  const reply = await wire.send({ method: 'POST', path: `/${collection.chunks}/_search`, body: { ...page(limit), ...near } }, signal)
  // Both give (1 + cosine) / 2.
  return current(wire, collection, entriesOf(reply), limit, (score) => 2 * score - 1, signal)
}

/** The embedder of a collection; undefined while it has no vectors. */
export async function embeddingOf(wire: Wire, { documents }: Collection, signal?: AbortSignal): Promise<Embedding | undefined> {
  const reply = await wire.send({ method: 'POST', path: `/${documents}/_mget`, body: { ids: [metaId] } }, signal)
  const [found] = fetchedOf<Embedding>(reply)
  return found?.source?.name === undefined ? undefined : { name: found.source.name, dimensions: found.source.dimensions }
}

/** Servers compute in single precision, in which the squares of small numbers vanish. */
export function unit(vector: Float32Array): number[] {
  const length = norm(vector)
  return Array.from(vector, (value) => Math.fround(value / length))
}

function page(limit: number): object {
  return { size: Math.min(mostFound, limit + extra), _source: shownFields, sort: [{ _score: 'desc' }, { urn: 'asc' }], track_scores: true }
}

/**
 * Only passages of the current generation: a document is found in its old or its new version, never
 * mixed.
 */
async function current(
  wire: Wire,
  { documents }: Collection,
  entries: readonly Entry<StoredChunk>[],
  limit: number,
  scoreOf: (score: number) => number,
  signal?: AbortSignal,
): Promise<Hit[]> {
  if (entries.length === 0) return []
  const ids = [...new Set(entries.map(({ source }) => documentId(source.path)))]
  const fetched = fetchedOf<StoredDocument>(await wire.send({ method: 'POST', path: `/${documents}/_mget`, body: { ids } }, signal))
  const generations = new Map(fetched.map(({ id, source }) => [id, source?.generation]))
  return entries
    .filter(({ source }) => generations.get(documentId(source.path)) === source.generation)
    .map(({ score, source }) => ({
      urn: source.urn,
      text: source.text,
      headings: JSON.parse(source.headings) as string[],
      score: scoreOf(score),
    }))
    .sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn))
    .slice(0, limit)
}
