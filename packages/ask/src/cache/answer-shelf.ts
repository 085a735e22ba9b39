import { answerCacheKey, type CacheDecision, type CacheInputs, decideCache } from '@stickler/presets/internal'
import { isStillValid } from '../providers/put-to-provider.ts'
import type { Question } from '../question/question.ts'
import type { AskDependencies } from '../settings.ts'

/** Stores and finds the valid answer to one question; failures of the cache are ignored. */
export class AnswerShelf {
  readonly #question: Question
  readonly #inputs: Omit<CacheInputs, 'question' | 'fingerprint' | 'type'>
  readonly #answers: AskDependencies['answers']
  readonly #caching: CacheDecision

  constructor(question: Question, inputs: Omit<CacheInputs, 'question' | 'fingerprint' | 'type'>, { answers, caching }: AskDependencies) {
    this.#question = question
    this.#inputs = inputs
    this.#answers = answers
    const { cache = 'default', history = [] } = question.request
    // The cache key excludes history.
    this.#caching = history.length > 0 ? { use: false } : decideCache(cache, caching)
  }

  /** The cached answer, if it fits these sources in this order and is still valid. */
  async find(): Promise<string | undefined> {
    if (!this.#caching.use) return undefined
    try {
      const kept = (await this.#answers.get(await this.#key())) ?? undefined
      const { sourceNames } = this.#question
      if (kept === undefined || kept.sources.length !== sourceNames.length) return undefined
      const sameOrder = kept.sources.every((name, index) => name === sourceNames[index])
      return sameOrder && (await isStillValid(kept.text, this.#question)) ? kept.text : undefined
    } catch {
      return undefined
    }
  }

  /** Caches a valid answer. */
  async put(text: string): Promise<void> {
    if (!this.#caching.use) return
    try {
      await this.#answers.set(await this.#key(), { text, sources: this.#question.sourceNames }, this.#caching.ttlSeconds)
    } catch {
      // The answer is valid without it.
    }
  }

  #key(): Promise<string> {
    const { request, fingerprint, preparation } = this.#question
    const { tenant = '', user = '', question } = request
    return answerCacheKey({ tenant, user }, { ...this.#inputs, question, fingerprint, type: preparation?.type })
  }
}
