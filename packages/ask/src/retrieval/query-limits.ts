import { terms } from '@stickler/core/relevance'

/** Only the start of a longer query is searched for. */
const mostCharacters = 8192
/** More words of a query add little and cost time on every engine. */
const mostTerms = 128

/** A query as both searches get it. */
export interface BoundedQuery {
  /** Its first 8192 characters. */
  readonly text: string
  /** The first 128 different terms of that text. */
  readonly terms: readonly string[]
}

/** Cuts a query to what is searched for. */
export function boundedQuery(query: string): BoundedQuery {
  // Lone surrogates are neither indexed nor sent anywhere.
  const text = query.slice(0, mostCharacters).replace(/\p{Cs}/gu, '\ufffd')
  return { text, terms: [...new Set(terms(text))].slice(0, mostTerms) }
}
