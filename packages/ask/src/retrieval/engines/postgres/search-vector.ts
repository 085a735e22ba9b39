import type { Hit } from '../../index-engine.ts'
import { checkEmbedding, checkVector } from '../checked-documents.ts'
import { norm } from '../sqlite/vectors/quantized.ts'
import type { Query } from './database.ts'
import { scanVectors } from './scan-vectors.ts'
import { type HitRow, hitOf } from './search-text.ts'
import type { Tables, VectorStorage } from './tables.ts'

interface VectorFacts {
  readonly storage: VectorStorage
  readonly embedding: string | null
  readonly dimensions: number | null
}

/** Compares with every vector: in the server where it has pgvector, else here. */
export async function searchVector(query: Query, tables: Tables, vector: Float32Array, name: string, limit: number): Promise<Hit[]> {
  const [facts] = await query<VectorFacts>(`select storage, embedding, dimensions from ${tables.meta}`)
  if (facts?.embedding == null || facts.dimensions === null) return []
  checkEmbedding({ name, dimensions: vector.length }, { name: facts.embedding, dimensions: facts.dimensions })
  checkVector(vector, facts.dimensions, 'the vector of the query')
  if (limit < 1 || vector.every((value) => value === 0)) return []
  if (facts.storage === 'bytea') return scanVectors(query, tables, vector, limit)
  const rows = await query<HitRow>(
    `select c.urn, c.text, c.headings, 1 - r.distance as score from (
        select id, urn, vector <=> $1::vector as distance from ${tables.vectors} order by distance, urn limit $2
      ) r join ${tables.chunks} c using (id) order by r.distance, r.urn`,
    [vectorText(vector), limit],
  )
  // A zero vector has no direction, so nothing is close to it.
  return rows.filter(({ score }) => !Number.isNaN(score)).map(hitOf)
}

/** A vector as pgvector reads it, of length 1: the server computes in single precision, in which the squares of small numbers vanish. */
export function vectorText(vector: Float32Array): string {
  const length = norm(vector)
  return `[${(length === 0 ? vector : vector.map((value) => value / length)).join(',')}]`
}
