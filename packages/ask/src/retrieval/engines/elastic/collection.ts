import { createHash } from 'node:crypto'
import type { SearchAddress } from './address.ts'
import { SearchRefused, type Wire } from './wire.ts'

/** The indexes of one collection. */
export interface Collection {
  /** Passages of all generations. */
  readonly chunks: string
  /** Which generation of each document counts, and the embedder. */
  readonly documents: string
}

/** Part of every name: another layout has other indexes. */
const layout = 1

/** The id of the entry that names the embedder; no hash of a path. */
export const metaId = 'embedding'

/** The names of the indexes of a collection. */
export function collectionOf(name: string): Collection {
  const isPlain = /^[a-z0-9_]{1,64}$/.test(name)
  const shown = isPlain ? name : `x${createHash('sha256').update(name).digest('hex').slice(0, 24)}`
  return { chunks: `stickler-index${layout}-${shown}-chunks`, documents: `stickler-index${layout}-${shown}-documents` }
}

/** The id of a document: paths may be longer than ids. */
export function documentId(path: string): string {
  return createHash('sha256').update(path).digest('hex')
}

/** The field of vectors of a length; a field takes no others. */
export function vectorField(dimensions: number): string {
  return `vector_${dimensions}`
}

/** Makes the indexes unless they are there. */
export async function ensureIndexes(
  wire: Wire,
  product: SearchAddress['product'],
  collection: Collection,
  signal?: AbortSignal,
): Promise<void> {
  const keyword = { type: 'keyword', doc_values: true }
  const stored = { type: 'keyword', index: false, doc_values: false }
  const shards = { number_of_shards: 1 }
  const settings = product === 'opensearch' ? { ...shards, 'index.knn': true } : shards
  await create(
    wire,
    collection.chunks,
    settings,
    {
      path: keyword,
      generation: keyword,
      written: { type: 'long' },
      urn: keyword,
      text: { type: 'text', index: false },
      headings: { type: 'text', index: false },
      terms: { type: 'text', analyzer: 'whitespace', index_options: 'freqs' },
    },
    signal,
  )
  await create(
    wire,
    collection.documents,
    shards,
    {
      path: keyword,
      fingerprint: stored,
      generation: stored,
      chunks: { type: 'integer' },
      vectors: { type: 'integer' },
      name: stored,
      dimensions: { type: 'integer' },
    },
    signal,
  )
}

async function create(wire: Wire, index: string, settings: object, properties: object, signal?: AbortSignal): Promise<void> {
  try {
    await wire.send({ method: 'PUT', path: `/${index}`, body: { settings, mappings: { dynamic: false, properties } } }, signal)
  } catch (error) {
    if (!(error instanceof SearchRefused && error.type === 'resource_already_exists_exception')) throw error
  }
}

/** Adds the field for vectors of a length. */
export async function ensureVectors(
  wire: Wire,
  product: SearchAddress['product'],
  { chunks }: Collection,
  dimensions: number,
  signal?: AbortSignal,
): Promise<void> {
  const field =
    product === 'elasticsearch'
      ? { type: 'dense_vector', dims: dimensions, index: true, similarity: 'cosine', index_options: { type: 'hnsw' } }
      : { type: 'knn_vector', dimension: dimensions, method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' } }
  await wire.send({ method: 'PUT', path: `/${chunks}/_mapping`, body: { properties: { [vectorField(dimensions)]: field } } }, signal)
}
