import { localEmbedder } from '@stickler/ask/retrieval'
import type { Embedder } from '@stickler/core/relevance'
import type { Retrieving } from './retrieving.ts'

/** The embedder for checks: that of the index, which is opened on first use. */
export function lazyEmbedder(retrieving: Pick<Retrieving, 'embedder' | 'settings'>): Embedder {
  const { relevanceThreshold } = localEmbedder()
  return {
    name: 'retrieval',
    ...(retrieving.settings.embeddings.kind === 'local' && relevanceThreshold !== undefined ? { relevanceThreshold } : {}),
    async embed(texts, options) {
      const embedder = await retrieving.embedder()
      if (!embedder) throw new Error('the configuration has `embeddings: none`')
      return embedder.embed(texts, options)
    },
  }
}
