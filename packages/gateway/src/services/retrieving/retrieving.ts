import { isDeepStrictEqual } from 'node:util'
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
import { because, clamp } from '@stickler/core/internal'
import type { Embedder } from '@stickler/core/validators'
import { readiness } from '@stickler/node/internal'
import { lazyService } from '@stickler/node/internal/services'
import type { EmbeddingsConfig, RetrievalConfig } from '../../config/resolved/resolve-retrieval.ts'

/** An index that is open, with what searches it. */
interface OpenRetrieval {
  readonly engine: IndexEngine
  readonly retriever: Retriever
  readonly embedder?: Embedder
}

/** What retrieving needs. */
export interface RetrievingPorts {
  readonly clock: Clock
  /** Opens the index and what makes vectors. */
  readonly openRetrieval?: (settings: RetrievalConfig, clock: Clock) => Promise<OpenRetrieval>
}

/** Where the passages of a configuration come from, for all pipelines. */
export interface Retrieving {
  readonly settings: RetrievalConfig
  readonly retriever: Retriever
  /** What makes vectors of queries and passages; absent where there are none. */
  embedder(): Promise<Embedder | undefined>
  /** The index itself, for writers. */
  engine(): Promise<IndexEngine>
  /** Whether the index can be searched; an empty one can. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

/** Maximum characters of a passage: a foreign index may hold whole documents. */
export const mostCharacters = 4096

/** Makes the retrieval of a configuration; nothing is opened or connected before it is needed. */
export function createRetrieving(settings: RetrievalConfig, { clock, openRetrieval = openConfigured }: RetrievingPorts): Retrieving {
  const { open, close } = lazyService({
    open: () => openRetrieval(settings, clock),
    close: ({ engine }) => engine.close(),
    closed: () => new RetrieverUnavailable(because([['shutting_down']])),
  })
  return {
    settings,
    retriever: {
      async retrieve(query, options = {}) {
        const { retriever } = await open()
        const found = await retriever.retrieve(query, { limit: settings.chunks, ...options })
        return { ...found, chunks: found.chunks.map((chunk) => ({ ...chunk, text: clamp(chunk.text, mostCharacters) })) }
      },
    },
    embedder: async () => (await open()).embedder,
    engine: async () => (await open()).engine,
    ready: readiness(async (signal) => (await open()).engine.facts(signal), clock),
    close,
  }
}

/** The retrieval for new settings: the current one when they are unchanged. */
export function nextRetrieving(
  before: Retrieving | undefined,
  settings: RetrievalConfig | undefined,
  ports: RetrievingPorts,
): Retrieving | undefined {
  if (settings === undefined) return undefined
  if (before !== undefined && isDeepStrictEqual(whole(before.settings), whole(settings))) return before
  return createRetrieving(settings, ports)
}

/** With secrets, which are not enumerable. */
function whole(settings: RetrievalConfig): unknown {
  const { index, embeddings } = settings
  return [settings, index.url, ...(embeddings.kind === 'service' ? [embeddings.baseUrl, embeddings.apiKey] : [])]
}

/** Opens the index of a configuration; rejects with RetrieverUnavailable when it cannot be opened. */
async function openConfigured({ index, collection, embeddings }: RetrievalConfig, clock: Clock): Promise<OpenRetrieval> {
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
    const isWrong = error instanceof ConfigurationError
    const reason = isWrong ? error.problems.map((problem) => problem.message).join('; ') : because([['unopened_index']])
    throw new RetrieverUnavailable(reason, { cause: error })
  }
}

function embedderOf(embeddings: EmbeddingsConfig, clock: Clock): Embedder | undefined {
  if (embeddings.kind !== 'service') return embeddings.kind === 'local' ? localEmbedder() : undefined
  const { baseUrl, model, apiKey, dimensions, timeout: timeoutMs } = embeddings
  const own = { ...(apiKey === undefined ? {} : { apiKey }), ...(dimensions === undefined ? {} : { dimensions }) }
  return openaiEmbedder({ baseUrl, model, timeoutMs, clock, ...own })
}

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
