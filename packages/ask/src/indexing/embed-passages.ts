import { ValidatorUnavailable } from '@stickler/core'
import type { Embedder } from '@stickler/core/relevance'
import { IndexingStopped } from './indexing-stopped.ts'

/** Embeds passages, with retries; throws IndexingStopped on failure. */
export async function embedPassages(
  texts: readonly string[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<readonly Float32Array[]> {
  signal?.throwIfAborted()
  try {
    return sound(await embedder.embed(texts, { purpose: 'passage', patient: true, ...(signal && { signal }) }), texts.length)
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof ValidatorUnavailable)) throw error
    throw new IndexingStopped(`embedding the passages failed: ${error.message}`)
  }
}

function sound(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  const { length = 0 } = vectors[0] ?? {}
  const isSound = vectors.length === count && vectors.every((vector) => vector.length === length && length > 0)
  if (!isSound) throw new IndexingStopped('the embedder did not return one vector of equal length per passage')
  return vectors
}
