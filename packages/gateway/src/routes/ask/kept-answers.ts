import { isStillValid } from '@stickler/ask/internal'
import { answerCacheKey, type CacheSettings, decideCache } from '@stickler/presets/internal'
import type { AnswerCache } from '../../records/store/keyed-entries.ts'
import type { SourcedQuestion } from './sourced-question.ts'

/** Who answers: an upstream and its model. */
interface Answerer {
  readonly alias: string
  readonly model: string
}

/** Stores and finds the valid answers to one question; failures of the cache are ignored. */
export class KeptAnswers {
  readonly #question: SourcedQuestion
  readonly #cache: AnswerCache
  readonly #ttlSeconds: number | undefined

  constructor(question: SourcedQuestion, cache: AnswerCache, settings: CacheSettings) {
    const { cache: asked = 'default', history = [] } = question.request
    const decided = decideCache(asked, settings)
    this.#question = question
    this.#cache = cache
    // The cache key excludes history.
    this.#ttlSeconds = decided.use && history.length === 0 ? decided.ttlSeconds : undefined
  }

  /** The first kept answer of these, if it fits these sources in this order and is still valid. */
  async find<One extends Answerer>(
    answerers: readonly One[],
    deadlineMs: number,
  ): Promise<{ readonly text: string; readonly by: One } | undefined> {
    if (this.#ttlSeconds === undefined) return undefined
    const { sourceNames, parts } = this.#question
    const names = JSON.stringify(sourceNames)
    for (const by of answerers) {
      try {
        const kept = await this.#cache.get(await this.#key(by))
        if (isKept(kept) && JSON.stringify(kept.sources) === names && (await isStillValid(kept.text, parts, deadlineMs)))
          return { text: kept.text, by }
      } catch {
        // The model is asked in its place.
      }
    }
    return undefined
  }

  /** Caches a valid answer. */
  async put(text: string, by: Answerer): Promise<void> {
    if (this.#ttlSeconds === undefined) return
    const { sourceNames } = this.#question
    // The answer is valid without it.
    await this.#cache.set(await this.#key(by), { text, sources: sourceNames }, this.#ttlSeconds).catch(() => {})
  }

  #key({ alias: provider, model }: Answerer): Promise<string> {
    const { request, parts, fingerprint, temperature, seed } = this.#question
    const { tenant = '', user = '', question } = request
    const inputs = { question, provider, model, temperature, seed, fingerprint, type: parts.prepared?.type }
    return answerCacheKey({ tenant, user }, inputs)
  }
}

function isKept(value: unknown): value is { readonly text: string; readonly sources: unknown } {
  return typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string' && 'sources' in value
}
