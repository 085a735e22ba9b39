/** Services that may have failed. */
const who = '(?:classifier|reformulation|retriever|relevance check|embeddings endpoint|text search|vector search|provider|service|index)'

/** Parts of reasons that only Stickler writes; other services' messages match none of them. */
const ownParts: readonly RegExp[] = [
  /^(?:text|vector)$/,
  new RegExp(`^the ${who} did not answer within \\d{1,9} ms$`),
  new RegExp(`^the ${who} failed(?: too often and is not called for a while)?$`),
  /^the index in (?:PostgreSQL|Elasticsearch|OpenSearch) failed$/,
  /^the index could not be used$/,
  /^the provider answered with status \d{3}$/,
  /^a vector has \d{1,9} numbers instead of \d{1,9}$/,
  /^there was no answer within \d{1,9} ms$/,
]

/** Whole reasons. */
const ownSentences: ReadonlySet<string> = new Set([
  'the classifier named no type',
  'the reformulation is not a query on one line',
  'the model answered neither YES nor NO',
  'the question has no words that say what it is about',
  'the embedder did not give a vector for each text',
  'the vectors are of different dimensions',
  'the vectors are not numbers, or zero',
  'the retriever returned no list of chunks',
  'there is no retriever',
  'there is no embedder',
  'there is no model',
  'the index cannot be opened',
  'the gateway is shutting down',
])

/** An index made with another embedder names both embedders, whose names others have chosen. */
const otherEmbedder = 'the index holds vectors of another embedder'

/** The part of a reason that Stickler wrote; undefined if it did not, because services repeat what they were sent. */
export function ownReason(reason: string): string | undefined {
  const kept: string[] = []
  for (const part of reason.split(': ')) {
    if (ownSentences.has(part) || ownParts.some((own) => own.test(part))) kept.push(part)
    else {
      if (part.startsWith('the index holds vectors of ')) kept.push(otherEmbedder)
      break
    }
  }
  return kept.length === 0 ? undefined : kept.join(': ')
}
