import { ConfigurationError } from '@stickler/core'
import type { ReasonCode } from '@stickler/core/internal'
import type { Chunk, IndexedDocument } from '../index-engine.ts'
import { storedTerms, storedText } from './stored-text.ts'

/** The embedder of an index's vectors, and their length. */
export interface Embedding {
  readonly name: string
  readonly dimensions: number
}

/** Documents that every engine can store, and the properties of their vectors. */
export interface CheckedDocuments {
  /** One for each path; of several with the same path, the last. */
  readonly documents: readonly IndexedDocument[]
  /** Absent when no chunk has a vector. */
  readonly embedding?: Embedding
}

/**
 * Makes documents safe to store; throws a ConfigurationError for vectors that cannot be compared.
 */
export function checkedDocuments(documents: readonly IndexedDocument[], name: string | undefined): CheckedDocuments {
  const byPath = new Map<string, IndexedDocument>()
  let dimensions: number | undefined
  for (const { path, fingerprint, chunks } of documents) {
    for (const { urn, vector } of chunks) {
      if (vector === undefined) continue
      dimensions ??= vector.length
      checkVector(vector, dimensions, `the vector of ${JSON.stringify(urn.slice(0, 200))}`)
    }
    const stored = storedText(path)
    byPath.set(stored, { path: stored, fingerprint: storedText(fingerprint), chunks: chunks.map(storedChunk) })
  }
  if (dimensions === undefined) return { documents: [...byPath.values()] }
  if (name === undefined) throw wrong('name the embedder that produced these vectors')
  return { documents: [...byPath.values()], embedding: { name, dimensions } }
}

/** The vector of a query as it is compared; nothing when the index has no vectors, or for zeros. Throws a ConfigurationError for one that cannot be compared with those of the index. */
export function checkedQuery(vector: Float32Array, name: string, kept: Embedding | undefined): Float32Array | undefined {
  if (kept === undefined) return undefined
  checkEmbedding({ name, dimensions: vector.length }, kept)
  checkVector(vector, kept.dimensions, 'the vector of the query')
  return unit(vector)
}

/** Throws a ConfigurationError for vectors of another embedder than those of the index. */
export function checkEmbedding(given: Embedding, kept: Embedding | undefined): void {
  if (kept === undefined || (given.name === kept.name && given.dimensions === kept.dimensions)) return
  const message = `the index holds vectors of ${describe(kept)}, not of ${describe(given)}; use that embedder, or index again with --rebuild`
  throw wrong(message, [['other_embedder']])
}

function checkVector(vector: Float32Array, dimensions: number, what: string): void {
  if (vector.length !== dimensions)
    throw wrong(
      `${what} has ${vector.length} dimensions and the index has ${dimensions}; use the embedder it was built with, or index again with --rebuild`,
    )
  if (!vector.every(Number.isFinite)) throw wrong(`${what} holds a number that is not finite`)
}

function storedChunk({ urn, text, headings, terms, vector }: Chunk): Chunk {
  const stored = vector && unit(vector)
  return {
    urn: storedText(urn),
    text: storedText(text),
    headings: headings.map(storedText),
    terms: storedTerms(terms),
    ...(stored && { vector: stored }),
  }
}

/** A vector of length 1: databases compute in single precision, in which the squares of small numbers vanish. Zeros have no direction, and are close to nothing. */
function unit(vector: Float32Array): Float32Array | undefined {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? undefined : vector.map((value) => value / length)
}

function describe({ name, dimensions }: Embedding): string {
  return `${JSON.stringify(name)} (${dimensions} dimensions)`
}

function wrong(message: string, codes?: readonly ReasonCode[]): ConfigurationError {
  return new ConfigurationError([{ path: [], message }], codes)
}
