import { terms } from '@stickler/core/relevance'

/** A longer query is looked up by its beginning. */
const mostCharacters = 8192
/** Further words of a query add little and cost time on every engine. */
const mostTerms = 128

/** A query as both halves get it. */
export interface BoundedQuery {
  /** Its first 8192 characters. */
  readonly text: string
  /** The first 128 different terms of that text. */
  readonly terms: readonly string[]
}

/** Cuts a query to what is looked up. */
export function boundedQuery(query: string): BoundedQuery {
  // Lone surrogates are neither indexed nor sent anywhere.
  const text = query.slice(0, mostCharacters).replace(/\p{Cs}/gu, '\ufffd')
  return { text, terms: [...new Set(terms(text))].slice(0, mostTerms) }
}
