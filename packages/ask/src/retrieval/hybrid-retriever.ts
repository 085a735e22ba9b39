import { type Clock, ConfigurationError, systemClock, ValidatorUnavailable } from '@stickler/core'
import type { Embedder } from '@stickler/core/relevance'
import { clamp } from '@stickler/core/runners'
import { createBreaker, guarded, ServiceUnavailable } from '@stickler/core/services'
import { fuse } from './fuse.ts'
import type { Hit, IndexEngine } from './index-engine.ts'
import { boundedQuery } from './query-limits.ts'
import { type Retrieval, type Retriever, RetrieverUnavailable } from './retriever.ts'

/** What a hybrid retriever asks, and for how long. */
export interface HybridOptions {
  readonly engine: Pick<IndexEngine, 'searchText' | 'searchVector'>
  /** What made the vectors of the index; without it only the text half is asked. */
  readonly embedder?: Embedder
  /** How many passages each half is asked for, at least as many as are wanted; 50. */
  readonly candidates?: number
  /** How long each half may take; 5 s. The vector half includes embedding the query. */
  readonly timeoutMs?: number
  readonly clock?: Clock
}

const defaultLimit = 8
const longestReason = 300

/** Asks the text half and the vector half of an index at once and fuses their ranks; when one half fails, the other answers alone. */
export function hybridRetriever({ engine, embedder, candidates = 50, timeoutMs = 5000, clock = systemClock }: HybridOptions): Retriever {
  const breakers = { text: createBreaker({}, { clock }), vector: createBreaker({}, { clock }) }

  /** What a half found, or the reason why it found nothing; only the caller's own abort rejects. */
  async function ask(half: 'text' | 'vector', search: (signal: AbortSignal) => Promise<readonly Hit[]>, signal?: AbortSignal) {
    try {
      const call = { timeoutMs, clock, name: `the ${half} search`, isFault: isNotConfiguration, ...(signal && { signal }) }
      const searchOrTell = (inner: AbortSignal) => search(inner).catch((error: unknown) => Promise.reject(told(error, half)))
      return { hits: await guarded(breakers[half], searchOrTell, call) }
    } catch (error) {
      signal?.throwIfAborted()
      return { reason: clamp(error instanceof Error ? error.message : '', longestReason) }
    }
  }

  return {
    async retrieve(query, { limit = defaultLimit, signal } = {}): Promise<Retrieval> {
      signal?.throwIfAborted()
      const bounded = boundedQuery(query)
      if (bounded.terms.length === 0 || limit < 1) return { chunks: [] }
      const count = Math.max(candidates, limit)
      const searchVector = async (inner: AbortSignal): Promise<readonly Hit[]> => {
        if (embedder === undefined) return []
        const [vector] = await embedder.embed([bounded.text], { purpose: 'query', signal: inner })
        return vector === undefined ? [] : engine.searchVector(vector, embedder.name, count, inner)
      }
      const [text, vector] = await Promise.all([
        ask('text', (inner) => engine.searchText(bounded.terms, count, inner), signal),
        embedder === undefined ? { hits: [] } : ask('vector', searchVector, signal),
      ])
      return merged(text, vector, limit, embedder !== undefined)
    },
  }
}

type Half = { readonly hits: readonly Hit[]; readonly reason?: undefined } | { readonly hits?: undefined; readonly reason: string }

function merged(text: Half, vector: Half, limit: number, isHybrid: boolean): Retrieval {
  if (text.hits === undefined && (vector.hits === undefined || !isHybrid)) throw new RetrieverUnavailable(text.reason)
  const chunks = fuse(text.hits ?? [], vector.hits ?? [], limit)
  if (text.hits === undefined) return { chunks, degraded: { half: 'text', reason: text.reason } }
  return vector.hits === undefined ? { chunks, degraded: { half: 'vector', reason: vector.reason } } : { chunks }
}

/** A wrong configuration says nothing about whether the service works. */
function isNotConfiguration(thrown: unknown): boolean {
  return !(thrown instanceof ConfigurationError)
}

/** Only messages that were written for users are passed on. */
function told(thrown: unknown, half: string): unknown {
  if (thrown instanceof ValidatorUnavailable || thrown instanceof ConfigurationError) return thrown
  const message = thrown instanceof RetrieverUnavailable ? thrown.message : `the ${half} search failed`
  return new ServiceUnavailable(message, 'fault', { cause: thrown })
}
