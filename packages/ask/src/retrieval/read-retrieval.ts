import { type Retrieval, RetrieverUnavailable } from './retriever.ts'

/**
 * Reads the result of a third-party retriever, which may be anything; throws RetrieverUnavailable
 * for what is not a retrieval.
 */
export function readRetrieval(given: unknown): Retrieval {
  const chunks = fieldsOf(given).chunks
  if (!Array.isArray(chunks)) throw new RetrieverUnavailable('the retriever returned no list of chunks')
  const bad = chunks.findIndex((chunk) => !isChunk(chunk))
  if (bad >= 0) throw new RetrieverUnavailable(`the retriever returned a chunk without urn, text, headings or score: chunks[${bad}]`)
  return given as Retrieval
}

function isChunk(chunk: unknown): boolean {
  const { urn, text, headings, score } = fieldsOf(chunk)
  return typeof urn === 'string' && typeof text === 'string' && isTexts(headings) && typeof score === 'number'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
