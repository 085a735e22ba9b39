import type { Embedder } from '../contract/embedder.ts'
import { because, ReasonedError } from '../contract/reason.ts'

/** More is not embedded: the mean of many texts is close to everything. */
const mostChunks = 32
/** Models read no more of a text. */
const longestChunk = 8192

/** The cosine of the question's vector and the mean of the texts' vectors, from 0 to 1; rejects when the vectors cannot be compared. */
export async function vectorScore(embedder: Embedder, question: string, chunks: readonly string[], signal: AbortSignal): Promise<number> {
  const texts = chunks.slice(0, mostChunks).map((chunk) => chunk.slice(0, longestChunk))
  const [[asked], found] = await Promise.all([
    embedder.embed([question.slice(0, longestChunk)], { purpose: 'query', signal }),
    embedder.embed(texts, { purpose: 'passage', signal }),
  ])
  if (!asked || asked.length === 0 || found.length !== texts.length) throw new ReasonedError(because([['vector_count']]))
  if (found.some((vector) => vector.length !== asked.length)) throw new ReasonedError(because([['vector_lengths']]))
  const cosine = cosineOf(asked, meanOf(found.map(unit)))
  if (!Number.isFinite(cosine)) throw new ReasonedError(because([['vector_numbers']]))
  return Math.min(1, Math.max(0, cosine))
}

/** All texts count alike, however long their vectors are. */
function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector))
  return length > 0 ? vector.map((value) => value / length) : vector
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value / vectors.length
  return sum
}

function cosineOf(a: Float32Array, b: Float32Array): number {
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
