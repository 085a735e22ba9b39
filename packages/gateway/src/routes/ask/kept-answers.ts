import { isStillValid, type QuestionParts } from '@stickler/ask/internal'
import { utf8Length } from '@stickler/core/internal'
import {
  answerCacheKey,
  type CacheSettings,
  decideCache,
  deriveSeed,
  sourcesFingerprint,
  versionedSources,
} from '@stickler/presets/internal'
import type { AnswerCache } from '../../records/store/keyed-entries.ts'
import type { ReadRequest } from './read-request.ts'

/** A question with its sources, and what an answer depends on besides. */
export interface SourcedQuestion {
  readonly request: ReadRequest
  readonly parts: QuestionParts
  readonly fingerprint: string
  /** The sources with their versions: markers count them, so an answer fits no other order. */
  readonly sourceNames: readonly string[]
  readonly sourcesBytes: number
  readonly seed: bigint
  readonly temperature: number
}

/** Fingerprint and seed are those of the used sources. */
export async function sourcedQuestion(request: ReadRequest, parts: QuestionParts): Promise<SourcedQuestion> {
  const { question, temperature = 0, seed } = request
  const versioned = await versionedSources(parts.sources)
  const fingerprint = await sourcesFingerprint(versioned)
  return {
    request,
    parts,
    fingerprint,
    sourceNames: versioned.map(({ urn, version }) => `${version} ${urn}`),
    sourcesBytes: parts.sources.reduce((sum, { payload }) => sum + utf8Length(payload), 0),
    seed: seed ?? (await deriveSeed(question, fingerprint)),
    temperature,
  }
}

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
