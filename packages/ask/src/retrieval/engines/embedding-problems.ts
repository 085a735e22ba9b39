import type { Reason } from '@stickler/core/internal'

/** The embedder of an index's vectors, and their length. */
export interface Embedding {
  readonly name: string
  readonly dimensions: number
}

/** Why vectors of one embedder cannot be compared with those of an index. */
export function embeddingProblem(given: Embedding, kept: Embedding | undefined): Reason | undefined {
  if (kept === undefined || (given.name === kept.name && given.dimensions === kept.dimensions)) return undefined
  const message = `the index holds vectors of ${describe(kept)}, not of ${describe(given)}; use that embedder, or index again with --rebuild`
  return { message, codes: [['other_embedder']] }
}

/** Why a vector cannot be compared with those of a given dimension. */
export function vectorProblem(vector: Float32Array, dimensions: number, what: string): string | undefined {
  if (vector.length !== dimensions)
    return `${what} has ${vector.length} dimensions and the index has ${dimensions}; use the embedder it was built with, or index again with --rebuild`
  return vector.every(Number.isFinite) ? undefined : `${what} holds a number that is not finite`
}

function describe({ name, dimensions }: Embedding): string {
  return `${JSON.stringify(name)} (${dimensions} dimensions)`
}
