import { isDeepStrictEqual } from 'node:util'
import { type IndexEngine, type Retriever, RetrieverUnavailable } from '@stickler/ask/retrieval'
import type { Clock } from '@stickler/core'
import type { Embedder } from '@stickler/core/relevance'
import { clamp } from '@stickler/core/runners'
import type { RetrievalConfig } from '../../config/resolved/retrieval-config.ts'
import { readiness } from '../readiness.ts'
import { type OpenRetrieval, openRetrieval as openConfigured } from './open-retrieval.ts'

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
  let opening: Promise<OpenRetrieval> | undefined
  let isClosed = false
  const open = (): Promise<OpenRetrieval> => {
    if (isClosed) return Promise.reject(new RetrieverUnavailable('the gateway is shutting down'))
    opening ??= openRetrieval(settings, clock).catch((error: unknown) => {
      // A missing index may exist the next time.
      opening = undefined
      throw error
    })
    return opening
  }
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
    async close() {
      isClosed = true
      const opened = await opening?.catch(() => undefined)
      await opened?.engine.close()
    },
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
