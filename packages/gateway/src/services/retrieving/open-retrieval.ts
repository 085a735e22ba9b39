import {
  hybridRetriever,
  type IndexEngine,
  localEmbedder,
  openaiEmbedder,
  openEngine,
  type Retriever,
  RetrieverUnavailable,
} from '@stickler/ask/retrieval'
import { type Clock, ConfigurationError } from '@stickler/core'
import type { Embedder } from '@stickler/core/relevance'
import type { EmbeddingsConfig, RetrievalConfig } from '../../config/resolved/retrieval-config.ts'

/** An index that is open, with what searches it. */
export interface OpenRetrieval {
  readonly engine: IndexEngine
  readonly retriever: Retriever
  readonly embedder?: Embedder
}

/** Opens the index of a configuration; rejects with RetrieverUnavailable when it cannot be opened. */
export async function openRetrieval({ index, collection, embeddings }: RetrievalConfig, clock: Clock): Promise<OpenRetrieval> {
  const embedder = embedderOf(embeddings, clock)
  const engine = await opened(index.url, collection)
  const retriever = hybridRetriever({ engine, clock, ...(embedder && { embedder }) })
  return { engine, retriever, ...(embedder && { embedder }) }
}

/** Errors about an address do not quote it, because it may contain a password. */
async function opened(url: string, collection: string): Promise<IndexEngine> {
  try {
    return await openEngine(url, { collection })
  } catch (error) {
    if (error instanceof RetrieverUnavailable) throw error
    const message =
      error instanceof ConfigurationError ? error.problems.map((problem) => problem.message).join('; ') : 'the index cannot be opened'
    throw new RetrieverUnavailable(message, { cause: error })
  }
}

function embedderOf(embeddings: EmbeddingsConfig, clock: Clock): Embedder | undefined {
  if (embeddings.kind === 'none') return undefined
  if (embeddings.kind === 'local') return localEmbedder()
  const { baseUrl, model, apiKey, dimensions, timeoutMs } = embeddings
  const own = { ...(apiKey === undefined ? {} : { apiKey }), ...(dimensions === undefined ? {} : { dimensions }) }
  return openaiEmbedder({ baseUrl, model, timeoutMs, clock, ...own })
}
