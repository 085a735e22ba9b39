import { checkEmbedding, checkedDocuments, checkedQuery, type Embedding } from '../retrieval/engines/checked-documents.ts'
import { folderPath, queryTerms, storedText } from '../retrieval/engines/stored-text.ts'
import { urnOrder } from '../retrieval/engines/urn-order.ts'
import type { Chunk, Hit, IndexEngine, IndexedDocument } from '../retrieval/index-engine.ts'

/** An index in plain JavaScript that scans every passage: what engines are compared with. */
export function referenceEngine(): IndexEngine {
  let documents = new Map<string, IndexedDocument>()
  let embedding: Embedding | undefined
  const chunks = (): Chunk[] => [...documents.values()].flatMap((document) => document.chunks)

  return {
    async searchText(terms, limit, signal) {
      signal?.throwIfAborted()
      return best(rankByTerms(chunks(), queryTerms(terms)), limit)
    },
    async searchVector(vector, name, limit, signal) {
      signal?.throwIfAborted()
      const asked = checkedQuery(vector, name, embedding)
      return asked === undefined ? [] : best(rankByCosine(chunks(), asked), limit)
    },
    async fingerprints(below, signal) {
      signal?.throwIfAborted()
      const folder = folderPath(below)
      const found = [...documents.values()].filter(({ path }) => isBelow(path, folder))
      return new Map(found.map(({ path, fingerprint }) => [path, fingerprint]))
    },
    async replace(given, name, signal) {
      signal?.throwIfAborted()
      const checked = checkedDocuments(given, name)
      const next = new Map(documents)
      for (const { path } of checked.documents) next.delete(path)
      const kept = hasVectors(next) ? embedding : undefined
      if (checked.embedding !== undefined) checkEmbedding(checked.embedding, kept)
      for (const document of checked.documents) next.set(document.path, document)
      documents = next
      embedding = checked.embedding ?? kept
    },
    async remove(paths, signal) {
      signal?.throwIfAborted()
      for (const path of paths) documents.delete(storedText(path))
      if (!hasVectors(documents)) embedding = undefined
    },
    async facts(signal) {
      signal?.throwIfAborted()
      return { documents: documents.size, chunks: chunks().length, ...(embedding === undefined ? {} : { embedding }) }
    },
    async close() {
      documents.clear()
    },
  }
}

function hasVectors(documents: ReadonlyMap<string, IndexedDocument>): boolean {
  return [...documents.values()].some(({ chunks }) => chunks.some(({ vector }) => vector !== undefined))
}

/** BM25 with k1 = 1.2 and b = 0.75; a term of half of the passages or more weighs next to nothing, as in SQLite. */
function rankByTerms(chunks: readonly Chunk[], terms: readonly string[]): Hit[] {
  const averageLength = chunks.reduce((sum, chunk) => sum + chunk.terms.length, 0) / chunks.length
  const weights = new Map(
    terms.map((term) => {
      const holders = chunks.filter((chunk) => chunk.terms.includes(term)).length
      const weight = Math.log((chunks.length - holders + 0.5) / (holders + 0.5))
      return [term, weight > 0 ? weight : 1e-6]
    }),
  )
  return chunks
    .filter((chunk) => chunk.terms.some((term) => weights.has(term)))
    .map((chunk) => {
      let score = 0
      for (const [term, weight] of weights) {
        const count = chunk.terms.filter((one) => one === term).length
        score += (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * chunk.terms.length) / averageLength))
      }
      return hit(chunk, score)
    })
}

function rankByCosine(chunks: readonly Chunk[], query: Float32Array): Hit[] {
  return chunks.flatMap((chunk) => {
    if (chunk.vector === undefined) return []
    return [
      hit(
        chunk,
        chunk.vector.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0),
      ),
    ]
  })
}

function hit({ urn, text, headings }: Chunk, score: number): Hit {
  return { urn, text, headings, score }
}

function best(hits: readonly Hit[], limit: number): Hit[] {
  return hits.toSorted((one, other) => other.score - one.score || urnOrder(one.urn, other.urn)).slice(0, Math.max(0, limit))
}

/** Whether a path is the same as another or below it; everything is below `''`. */
function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}
