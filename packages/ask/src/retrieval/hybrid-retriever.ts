import { type Clock, ConfigurationError, ValidatorUnavailable } from '@stickler/core'
import { because, type Called, type Reason, reasonOf, systemClock } from '@stickler/core/internal'
import { terms } from '@stickler/core/internal/relevance'
import { createBreaker, type Embedder, guarded, ServiceUnavailable } from '@stickler/core/validators'
import { urnOrder } from './engines/urn-order.ts'
import type { Hit, IndexEngine } from './index-engine.ts'
import { queryWords } from './query-words.ts'
import { type Retrieval, type RetrievedChunk, type Retriever, RetrieverUnavailable } from './retriever.ts'

/** The constant of reciprocal rank fusion: the larger, the less the first ranks dominate. */
const fusionConstant = 60
/** Vectors of words know little that the words do not: their ranks count a quarter. */
const wordVectorWeight = 0.25
/** Further passages of a document come after all others, so that several documents are among the first. */
const mostOfDocument = 2

/**
 * Fuses the results of both searches, best first: each rank scores 1 / (60 + rank), times `weight` in the search by
 * vectors; equal sums are ordered by urn.
 */
export function fuse(text: readonly Hit[], vector: readonly Hit[], weight = 1): RetrievedChunk[] {
  const fused = new Map<string, RetrievedChunk>()
  const add = (hits: readonly Hit[], half: 'text' | 'vector', times: number): void => {
    let place = 0
    for (const { urn, text: passage, headings } of hits) {
      const known = fused.get(urn)
      // Engines return each passage once; a second time would count it twice.
      if (known?.ranks[half] !== undefined) continue
      place++
      const score = (known?.score ?? 0) + times / (fusionConstant + place)
      fused.set(urn, { urn, text: passage, headings, score, ranks: { ...known?.ranks, [half]: place } })
    }
  }
  add(text, 'text', 1)
  add(vector, 'vector', weight)
  return [...fused.values()].sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn))
}

/** Two passages of each document, then the others. */
function spread(chunks: readonly RetrievedChunk[]): RetrievedChunk[] {
  const seen = new Map<string, number>()
  const further: RetrievedChunk[] = []
  const first = chunks.filter((chunk) => {
    const path = chunk.urn.replace(/#[^#]*$/, '')
    const count = (seen.get(path) ?? 0) + 1
    seen.set(path, count)
    if (count > mostOfDocument) further.push(chunk)
    return count <= mostOfDocument
  })
  return [...first, ...further]
}

/** Runs few searches at once, in their order; one that waits too long is rejected, and an abandoned one is removed. */
class Turns {
  readonly #free: () => boolean
  readonly #waiting = new Set<() => void>()
  readonly #waitMs: number
  readonly #clock: Clock
  #searching = 0

  constructor(atOnce: number, waitMs: number, clock: Clock) {
    this.#free = () => this.#searching < atOnce
    this.#waitMs = waitMs
    this.#clock = clock
  }

  /** Runs a search when a slot is free. */
  async run<Result>(search: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    if (this.#free()) this.#searching++
    else await this.#wait(signal)
    try {
      return await search()
    } finally {
      const [next] = this.#waiting
      // The slot goes on to the next one, so that no new caller overtakes it.
      if (next) next()
      else this.#searching--
    }
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (settle: () => void): void => {
        this.#waiting.delete(begin)
        cancel()
        signal?.removeEventListener('abort', leave)
        settle()
      }
      const begin = (): void => stop(resolve)
      const leave = (): void => stop(() => reject(signal?.reason))
      const message = `the index is busy with other questions: no free slot within ${this.#waitMs} ms`
      const cancel = this.#clock.after(this.#waitMs, () => stop(() => reject(new RetrieverUnavailable(message, { isBusy: true }))))
      signal?.addEventListener('abort', leave)
      this.#waiting.add(begin)
    })
  }
}

/** Only the start of a longer query is searched for. */
const mostCharacters = 8192
/** More words of a query add little and cost time on every engine. */
const mostTerms = 128

/** The first 8192 characters of a query, without lone surrogates, which are neither indexed nor sent anywhere. */
function boundedText(query: string): string {
  return query.slice(0, mostCharacters).replace(/\p{Cs}/gu, '\ufffd')
}

/** The first 128 different terms of what a query is about: without the words that any question has, unless it has no others. */
function searchedTerms(query: string): readonly string[] {
  const words = queryWords(query)
  const content = words.filter(({ isContent }) => isContent)
  return [...new Set((content.length === 0 ? words : content).flatMap(({ written }) => terms(written)))].slice(0, mostTerms)
}

/** The parts of a hybrid retriever, and its time limits. */
export interface HybridOptions {
  readonly engine: Pick<IndexEngine, 'searchesAtOnce' | 'searchText' | 'searchVector'>
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
 * Runs text and vector search of an index at once and fuses their ranks; when one search fails, the
 * other answers alone.
 */
export function hybridRetriever(options: HybridOptions): Retriever {
  const { engine, embedder, candidates = 50, timeoutMs = 5000, waitMs = 5000, clock = systemClock } = options
  const guard = (called: Called) => ({ called, breaker: createBreaker({}, { clock }) })
  const guards = { text: guard('text search'), vector: guard('vector search'), embedding: guard('embedding of the query') }
  const line = () => new Turns(engine.searchesAtOnce ?? searchesAtOnce, waitMs, clock)
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
      const question = boundedText(query)
      const searched = searchedTerms(question)
      if (searched.length === 0 || limit < 1) return { chunks: [] }
      const count = Math.max(candidates, limit)
      // The time of a search starts when it leaves the queue: waiting for others says nothing about
      // the index.
      const searchText = () => turns.text.run(() => call('text', (inner) => engine.searchText(searched, count, inner), signal), signal)
      const searchVector = async (by: Embedder): Promise<readonly Hit[]> => {
        const [vector] = await call('embedding', (inner) => by.embed([question], { purpose: 'query', signal: inner }), signal)
        if (vector === undefined) return []
        return turns.vector.run(() => call('vector', (inner) => engine.searchVector(vector, by.name, count, inner), signal), signal)
      }
      const [text, vector] = await Promise.all([
        outcome(searchText(), signal),
        embedder === undefined ? { hits: [] } : outcome(searchVector(embedder), signal),
      ])
      if (text.hits === undefined && (vector.hits === undefined || embedder === undefined)) throw new RetrieverUnavailable(text.reason)
      const fused = fuse(text.hits ?? [], vector.hits ?? [], embedder?.comparesWords ? wordVectorWeight : 1)
      const chunks = spread(fused).slice(0, limit)
      if (text.hits === undefined) return { chunks, degraded: degraded('text', text.reason) }
      return vector.hits === undefined ? { chunks, degraded: degraded('vector', vector.reason) } : { chunks }
    },
  }
}

type Half = { readonly hits: readonly Hit[]; readonly reason?: undefined } | { readonly hits?: undefined; readonly reason: Reason }

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
