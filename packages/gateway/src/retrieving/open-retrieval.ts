import { type IndexEngine, type Retriever, RetrieverUnavailable } from '@stickler/ask/retrieval'
import type { Clock } from '@stickler/core'
import type { Embedder } from '@stickler/core/relevance'
import type { RetrievalConfig } from '../config/retrieval/retrieval-config.ts'

/** An index that is open, with what searches it. */
export interface OpenRetrieval {
  readonly engine: IndexEngine
  readonly retriever: Retriever
  readonly embedder?: Embedder
}

/** Opens the index of a configuration; rejects with RetrieverUnavailable when it cannot be opened. */
export async function openRetrieval({ index }: RetrievalConfig, _clock: Clock): Promise<OpenRetrieval> {
  throw new RetrieverUnavailable(`no engine for ${index.kind}`)
}
