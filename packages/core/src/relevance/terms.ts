/** The terms of a text, in their order: words in small letters, stemmed, identifiers split; what full-text search and lexical relevance compare. */
export function terms(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
