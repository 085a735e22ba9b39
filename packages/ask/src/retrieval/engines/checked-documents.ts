import { ConfigurationError } from '@stickler/core'
import type { ReasonCode } from '@stickler/core/internal'
import type { Chunk, IndexedDocument } from '../index-engine.ts'
import { type Embedding, embeddingProblem, vectorProblem } from './embedding-problems.ts'
import { storedTerms } from './stored-terms.ts'
import { storedText } from './stored-text.ts'

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

/** Throws a ConfigurationError for a vector of another length, or with numbers that cannot be compared. */
export function checkVector(vector: Float32Array, dimensions: number, what: string): void {
  const problem = vectorProblem(vector, dimensions, what)
  if (problem !== undefined) throw wrong(problem)
}

/** Throws a ConfigurationError for vectors of another embedder than those of the index. */
export function checkEmbedding(given: Embedding, kept: Embedding | undefined): void {
  const problem = embeddingProblem(given, kept)
  if (problem !== undefined) throw wrong(problem.message, problem.codes)
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

/** An error of the configuration of retrieval. */
export function wrong(message: string, codes?: readonly ReasonCode[]): ConfigurationError {
  return new ConfigurationError([{ path: [], message }], codes)
}
