import { errorMessage, systemClock } from '@stickler/core/internal'
import type { Embedder } from '@stickler/core/validators'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'

/** What an index holds, and whether its vectors can be used. */
export interface IndexProbe {
  readonly ok: true
  readonly documents: number
  readonly chunks: number
  /** Whether the vectors are of another embedder than the configured one, so that only full text can be searched. */
  readonly isOther: boolean
  /** Why the embeddings service fails; absent when it works, or there is none. */
  readonly embeddings?: string
}

/** How long a service may take to make one vector. */
const embeddingMs = 5000

/**
 * Reports what the index of a configuration holds; rejects when it cannot be searched, and resolves
 * to undefined when there is none.
 */
export async function probeIndex({ retrieval }: GatewayConfig, signal: AbortSignal): Promise<IndexProbe | undefined> {
  if (retrieval === undefined) return undefined
  const { createRetrieving } = await import('./retrieving.ts')
  const retrieving = createRetrieving(retrieval, { clock: systemClock })
  try {
    const [engine, embedder] = await Promise.all([retrieving.engine(), retrieving.embedder()])
    const isService = retrieval.embeddings.kind === 'service'
    const [{ documents, chunks, embedding }, fault] = await Promise.all([
      engine.facts(signal),
      embedder !== undefined && isService ? faultOf(embedder, signal) : undefined,
    ])
    const isOther = embedder !== undefined && embedding !== undefined && embedding.name !== embedder.name
    return { ok: true, documents, chunks, isOther, ...(fault === undefined ? {} : { embeddings: fault }) }
  } finally {
    await retrieving.close()
  }
}

async function faultOf(embedder: Embedder, signal: AbortSignal): Promise<string | undefined> {
  const limit = AbortSignal.timeout(embeddingMs)
  try {
    await embedder.embed(['stickler'], { purpose: 'query', signal: AbortSignal.any([signal, limit]) })
    return undefined
  } catch (error) {
    if (limit.aborted) return `no answer within ${embeddingMs / 1000} s`
    return errorMessage(error)
  }
}
