import { type Clock, systemClock, ValidatorUnavailable } from '@stickler/core'
import type { Embedder } from '@stickler/core/relevance'
import { IndexingStopped } from './indexing-stopped.ts'

/** Waits before further attempts, in milliseconds. */
const waits: readonly number[] = [500, 2000, 8000]

/** Embeds passages; tries again when the endpoint fails, and gives up with an error that says what to do. */
export async function embedPassages(
  texts: readonly string[],
  embedder: Embedder,
  { signal, clock = systemClock }: { readonly signal?: AbortSignal | undefined; readonly clock?: Clock | undefined } = {},
): Promise<readonly Float32Array[]> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return sound(await embedder.embed(texts, { purpose: 'passage', ...(signal && { signal }) }), texts.length)
    } catch (error) {
      signal?.throwIfAborted()
      const wait = waits[attempt]
      if (!(error instanceof ValidatorUnavailable)) throw error
      if (wait === undefined) throw new IndexingStopped(`the passages could not be embedded: ${error.message}`)
      await pause(wait, clock, signal)
    }
  }
}

function sound(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  const { length = 0 } = vectors[0] ?? {}
  const isSound = vectors.length === count && vectors.every((vector) => vector.length === length && length > 0)
  if (!isSound) throw new IndexingStopped('the embedder did not give one vector of one length for each passage')
  return vectors
}

function pause(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    signal?.addEventListener('abort', end, { once: true })
  })
}
