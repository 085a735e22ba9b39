import { ConfigurationError } from '@stickler/core'
import type { Chunk, IndexedDocument } from '../index-engine.ts'
import { storedTerms } from './stored-terms.ts'
import { storedText } from './stored-text.ts'

/** The embedder whose vectors an index holds, and their length. */
export interface Embedding {
  readonly name: string
  readonly dimensions: number
}

/** Documents that every engine can keep, and what their vectors are. */
export interface CheckedDocuments {
  /** One for each path; of several with the same path, the last. */
  readonly documents: readonly IndexedDocument[]
  /** Absent when no chunk has a vector. */
  readonly embedding?: Embedding
}

/** Makes documents safe to keep; throws a ConfigurationError for vectors that cannot be compared. */
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
  if (name === undefined) throw wrong('name the embedder whose vectors these are')
  return { documents: [...byPath.values()], embedding: { name, dimensions } }
}

/** Throws a ConfigurationError for a vector of another length, or with numbers that cannot be compared. */
export function checkVector(vector: Float32Array, dimensions: number, what: string): void {
  if (vector.length !== dimensions)
    throw wrong(
      `${what} has ${vector.length} dimensions and the index has ${dimensions}; use the embedder it was built with, or index again with --rebuild`,
    )
  if (!vector.every(Number.isFinite)) throw wrong(`${what} holds a number that is not finite`)
}

/** Throws a ConfigurationError for vectors of another embedder than those of the index. */
export function checkEmbedding(given: Embedding, kept: Embedding | undefined): void {
  if (kept === undefined || (given.name === kept.name && given.dimensions === kept.dimensions)) return
  throw wrong(`the index holds vectors of ${describe(kept)}, not of ${describe(given)}; use that embedder, or index again with --rebuild`)
}

function describe({ name, dimensions }: Embedding): string {
  return `${JSON.stringify(name)} (${dimensions} dimensions)`
}

function storedChunk({ urn, text, headings, terms, vector }: Chunk): Chunk {
  return {
    urn: storedText(urn),
    text: storedText(text),
    headings: headings.map(storedText),
    terms: storedTerms(terms),
    ...(vector === undefined ? {} : { vector }),
  }
}

function wrong(message: string): ConfigurationError {
  return new ConfigurationError([{ path: ['retrieval'], message }])
}
