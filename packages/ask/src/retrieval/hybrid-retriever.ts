import { type Clock, ConfigurationError, ValidatorUnavailable } from '@stickler/core'
import { because, type Called, type Reason, reasonOf, systemClock } from '@stickler/core/internal'
import { surelyFamiliar, terms } from '@stickler/core/internal/relevance'
import { createBreaker, type Embedder, guarded, ServiceUnavailable } from '@stickler/core/validators'
import { askedTerms, asksForReasons } from './asked-terms.ts'
import { urnOrder } from './engines/urn-order.ts'
import { familiarity, matchIsEnough } from './familiarity.ts'
import type { Hit, IndexEngine, TermCounts } from './index-engine.ts'
import { rerank } from './rerank.ts'
import { type Retrieval, type RetrievedChunk, type Retriever, RetrieverUnavailable } from './retriever.ts'

/** The constant of reciprocal rank fusion: the larger, the less the first ranks dominate. */
const fusionConstant = 60

/**
 * Fuses the results of both searches, best first: each rank scores 1 / (60 + rank), equal sums are
 * ordered by urn.
 */
export function fuse(text: readonly Hit[], vector: readonly Hit[], limit: number): RetrievedChunk[] {
  const fused = new Map<string, RetrievedChunk>()
  const add = (hits: readonly Hit[], half: 'text' | 'vector'): void => {
    let place = 0
    for (const { urn, text: passage, headings } of hits) {
      const known = fused.get(urn)
      // Engines return each passage once; a second time would count it twice.
      if (known?.ranks[half] !== undefined) continue
      place++
      const score = (known?.score ?? 0) + 1 / (fusionConstant + place)
      fused.set(urn, { urn, text: passage, headings, score, ranks: { ...known?.ranks, [half]: place } })
    }
  }
  add(text, 'text')
  add(vector, 'vector')
  return [...fused.values()].sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn)).slice(0, limit)
}

/** How many searches may run at once, and how long others may wait. */
interface TurnSettings {
  readonly atOnce: number
  readonly waitMs: number
  readonly clock: Clock
}

interface Waiting {
  readonly size: number
  readonly begin: () => void
}

/**
 * Runs few searches at once. The others are queued, the smallest first, so that large ones do not
 * block all; a search that waits too long is rejected, and an abandoned one is removed.
 */
class Turns {
  readonly #with: TurnSettings
  readonly #waiting = new Set<Waiting>()
  #searching = 0

  constructor(settings: TurnSettings) {
    this.#with = settings
  }

  /** Runs a search of some size when a slot is free. */
  async run<Result>(size: number, search: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    if (this.#searching >= this.#with.atOnce) await this.#wait(size, signal)
    else this.#searching++
    try {
      return await search()
    } finally {
      this.#searching--
      this.#next()
    }
  }

  #wait(size: number, signal?: AbortSignal): Promise<void> {
    const { waitMs, clock } = this.#with
    return new Promise((resolve, reject) => {
      const stop = (settle: () => void): void => {
        this.#waiting.delete(waiting)
        cancel()
        signal?.removeEventListener('abort', leave)
        settle()
      }
      const leave = (): void => stop(() => reject(signal?.reason))
      const busy = (): void =>
        stop(() =>
          reject(new RetrieverUnavailable(`the index is busy with other questions: no free slot within ${waitMs} ms`, { isBusy: true })),
        )
      const waiting: Waiting = { size, begin: () => stop(resolve) }
      const cancel = clock.after(waitMs, busy)
      signal?.addEventListener('abort', leave)
      this.#waiting.add(waiting)
    })
  }

  #next(): void {
    let next: Waiting | undefined
    for (const waiting of this.#waiting) if (next === undefined || waiting.size < next.size) next = waiting
    if (next === undefined) return
    // Taken at once, so that no new caller overtakes it.
    this.#searching++
    next.begin()
  }
}

/** Only the start of a longer query is searched for. */
const mostCharacters = 8192
/** More words of a query add little and cost time on every engine. */
const mostTerms = 128

/** A query as both searches get it. */
interface BoundedQuery {
  /** Its first 8192 characters. */
  readonly text: string
  /** The first 128 different terms of that text. */
  readonly terms: readonly string[]
}

/** Cuts a query to what is searched for. */
function boundedQuery(query: string): BoundedQuery {
  // Lone surrogates are neither indexed nor sent anywhere.
  const text = query.slice(0, mostCharacters).replace(/\p{Cs}/gu, '\ufffd')
  return { text, terms: [...new Set(terms(text))].slice(0, mostTerms) }
}

/** The parts of a hybrid retriever, and its time limits. */
export interface HybridOptions {
  readonly engine: Pick<IndexEngine, 'searchesAtOnce' | 'searchText' | 'searchVector' | 'countTerms'>
  /** The embedder of the index's vectors; without it only text search is used. */
  readonly embedder?: Embedder
  /** How many passages each search requests, at least as many as are wanted; 50. */
  readonly candidates?: number
  /** How long embedding the query and each search may take; 5 s. */
  readonly timeoutMs?: number
  /** How long a search may be queued; 5 s. */
  readonly waitMs?: number
  readonly clock?: Clock
}

const defaultLimit = 8
const longestReason = 300
/** For engines that do not declare how many searches they run at once. */
const searchesAtOnce = 32

/**
 * Runs text and vector search of an index at once, fuses their ranks, and orders what both found by
 * its headings, words and links too; when one search fails, the other answers alone.
 */
export function hybridRetriever(options: HybridOptions): Retriever {
  const { engine, embedder, candidates = 50, timeoutMs = 5000, waitMs = 5000, clock = systemClock } = options
  const guard = (called: Called) => ({ called, breaker: createBreaker({}, { clock }) })
  const guards = { text: guard('text search'), vector: guard('vector search'), embedding: guard('embedding of the query') }
  const line = () => new Turns({ atOnce: engine.searchesAtOnce ?? searchesAtOnce, waitMs, clock })
  const turns = { text: line(), vector: line() }

  /** Calls a service unless its circuit is open. */
  function call<Result>(
    service: keyof typeof guards,
    task: (signal: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const { called, breaker } = guards[service]
    const callOrTell = (inner: AbortSignal) => task(inner).catch((error: unknown) => Promise.reject(told(error, called)))
    return guarded(breaker, callOrTell, { timeoutMs, clock, called, isFault, ...(signal && { signal }) })
  }

  /** The result of a search, or why there is none; rejects only when the caller aborts. */
  async function outcome(found: Promise<readonly Hit[]>, signal?: AbortSignal): Promise<Half> {
    try {
      return { hits: await found }
    } catch (error) {
      signal?.throwIfAborted()
      return { reason: reasonOf(error, longestReason) }
    }
  }

  return {
    async retrieve(query, { limit = defaultLimit, signal } = {}): Promise<Retrieval> {
      signal?.throwIfAborted()
      const bounded = boundedQuery(query)
      if (bounded.terms.length === 0 || limit < 1) return { chunks: [] }
      const count = Math.max(candidates, limit)
      const asked = askedTerms(bounded.text)
      let counts: TermCounts | undefined
      // The time of a search starts when it leaves the queue: waiting for others says nothing about
      // the index.
      const searchText = (): Promise<readonly Hit[]> => {
        const search = () =>
          call(
            'text',
            async (inner) => {
              const [hits, counted] = await Promise.all([
                engine.searchText(bounded.terms, count, inner),
                // Without counts, words are weighed as in any text.
                engine.countTerms?.(asked, inner).catch(() => undefined),
              ])
              counts = counted
              return hits
            },
            signal,
          )
        return turns.text.run(bounded.terms.length, search, signal)
      }
      const searchVector = async (by: Embedder): Promise<readonly Hit[]> => {
        const [vector] = await call('embedding', (inner) => by.embed([bounded.text], { purpose: 'query', signal: inner }), signal)
        if (vector === undefined) return []
        return turns.vector.run(1, () => call('vector', (inner) => engine.searchVector(vector, by.name, count, inner), signal), signal)
      }
      const [text, vector] = await Promise.all([
        outcome(searchText(), signal),
        embedder === undefined ? { hits: [] } : outcome(searchVector(embedder), signal),
      ])
      const { chunks, ...found } = merged(text, vector, embedder !== undefined)
      const isSure = counts && matchIsEnough(bounded.text, counts, chunks)
      const familiar = isSure ? surelyFamiliar : counts && familiarity(bounded.text, asked, counts, chunks)
      const ordered = rerank(chunks, asked, counts, asksForReasons(bounded.text))
      return { chunks: ordered.slice(0, limit), ...found, ...(familiar !== undefined && { familiarity: familiar }) }
    },
  }
}

type Half = { readonly hits: readonly Hit[]; readonly reason?: undefined } | { readonly hits?: undefined; readonly reason: Reason }

function merged(text: Half, vector: Half, isHybrid: boolean): Retrieval {
  if (text.hits === undefined && (vector.hits === undefined || !isHybrid)) throw new RetrieverUnavailable(text.reason)
  const chunks = fuse(text.hits ?? [], vector.hits ?? [], Number.POSITIVE_INFINITY)
  if (text.hits === undefined) return { chunks, degraded: degraded('text', text.reason) }
  return vector.hits === undefined ? { chunks, degraded: degraded('vector', vector.reason) } : { chunks }
}

function degraded(half: 'text' | 'vector', { message, codes }: Reason): NonNullable<Retrieval['degraded']> {
  return { half, reason: message, ...(codes && { codes }) }
}

/** A wrong configuration, or overload, does not mean that a service is broken. */
function isFault(thrown: unknown): boolean {
  return !(thrown instanceof ConfigurationError || (thrown instanceof RetrieverUnavailable && thrown.isBusy))
}

/** Only messages written for users are passed on. */
function told(thrown: unknown, called: Called): unknown {
  if (thrown instanceof ValidatorUnavailable || !isFault(thrown)) return thrown
  const reason = thrown instanceof RetrieverUnavailable ? thrown : because([['failed', called]])
  return new ServiceUnavailable(reason, 'fault', { cause: thrown })
}
