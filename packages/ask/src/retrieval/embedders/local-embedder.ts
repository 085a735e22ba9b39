import { terms, termsVersion, wordWeight } from '@stickler/core/internal/relevance'
import type { Embedder } from '@stickler/core/validators'

/** Fewer let more words share a place; twice as many find little more and cost twice as much. */
const dimensions = 512
/** Changes with every change of what a vector means. */
const version = 1
/** Longer texts are cut; vectors of whole books are all alike. */
const mostCharacters = 65_536
const rememberedTerms = 20_000
const gramSizes = [3, 4]
/** Measured: its vectors of related texts are further apart than those of a model. */
const relevanceThreshold = 0.15

/** Embeds without a model: hashed terms and their character n-grams. Finds spellings, word forms and compounds, not synonyms. Deterministic, offline, about as fast as reading the text. */
export function localEmbedder(): Embedder {
  const known = new Map<string, WeighedTerm>()

  function weighed(term: string): WeighedTerm {
    const found = known.get(term)
    if (found !== undefined) return found
    // Words of a language repeat; other input must not fill the memory.
    if (known.size >= rememberedTerms) known.clear()
    const made = { places: Int32Array.from(features(term), placeOf), weight: Math.sqrt(wordWeight(term)) * weightOfLength(term.length) }
    known.set(term, made)
    return made
  }

  function embedOne(text: string): Float32Array {
    const counts = new Map<string, number>()
    for (const term of terms(text.slice(0, mostCharacters))) counts.set(term, (counts.get(term) ?? 0) + 1)
    const vector = new Float32Array(dimensions)
    for (const [term, count] of counts) {
      const { places, weight } = weighed(term)
      const whole = (1 + Math.log(count)) * weight
      // All n-grams together count as much as the term, which is the first.
      const part = whole / Math.sqrt(places.length - 1)
      for (let index = 0; index < places.length; index++) add(vector, places[index] ?? 0, index === 0 ? whole : part)
    }
    return normalised(vector)
  }

  return {
    relevanceThreshold,
    comparesWords: true,
    name: `local:${dimensions}:v${version}.${termsVersion}`,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted()
      return texts.map(embedOne)
    },
  }
}

/** A term as it is added to vectors. */
interface WeighedTerm {
  /** Where it and its n-grams go; the complement where they are subtracted. */
  readonly places: Int32Array
  readonly weight: number
}

/** Longer words say more. */
function weightOfLength(length: number): number {
  return Math.min(2, 0.5 + length / 8)
}

function add(vector: Float32Array, place: number, weight: number): void {
  const at = place < 0 ? ~place : place
  vector[at] = (vector[at] ?? 0) + (place < 0 ? -weight : weight)
}

/** The term itself and the n-grams of it, with its edges marked. */
function* features(term: string): Generator<string> {
  yield term
  const edged = `^${term}$`
  for (const size of gramSizes) for (let at = 0; at + size <= edged.length; at++) yield edged.slice(at, at + size)
}

/** FNV-1a with a final mix; the highest bit decides the sign, which is kept by the complement. */
function placeOf(feature: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0x297a2d39)
  hash ^= hash >>> 16
  const place = (hash & 0x7fffffff) % dimensions
  return hash < 0 ? ~place : place
}

function normalised(vector: Float32Array): Float32Array {
  let sum = 0
  for (const value of vector) sum += value * value
  if (sum === 0) return vector
  const scale = 1 / Math.sqrt(sum)
  return vector.map((value) => value * scale)
}
