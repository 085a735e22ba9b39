import type { Hit } from '../../index-engine.ts'
import { checkEmbedding, checkVector } from '../checked-documents.ts'
import { norm } from '../sqlite/vectors/quantized.ts'
import { urnOrder } from '../urn-order.ts'
import type { Query } from './database.ts'
import { type HitRow, hitOf } from './hit-row.ts'
import type { Tables, VectorStorage } from './tables.ts'

interface VectorFacts {
  readonly storage: VectorStorage
  readonly embedding: string | null
  readonly dimensions: number | null
}

/** Vectors that are fetched at once; comparing them blocks for a few milliseconds. */
const batch = 2000

/** Compares with every vector: in the server where it has pgvector, else here. */
export async function searchVector(query: Query, tables: Tables, vector: Float32Array, name: string, limit: number): Promise<Hit[]> {
  const [facts] = await query<VectorFacts>(`select storage, embedding, dimensions from ${tables.meta}`)
  if (facts?.embedding == null || facts.dimensions === null) return []
  checkEmbedding({ name, dimensions: vector.length }, { name: facts.embedding, dimensions: facts.dimensions })
  checkVector(vector, facts.dimensions, 'the vector of the query')
  if (limit < 1 || vector.every((value) => value === 0)) return []
  if (facts.storage === 'bytea') return scan(query, tables, vector, limit)
  const rows = await query<HitRow>(
    `select c.urn, c.text, c.headings, 1 - r.distance as score from (
        select id, urn, vector <=> $1::vector as distance from ${tables.vectors} order by distance, urn limit $2
      ) r join ${tables.chunks} c using (id) order by r.distance, r.urn`,
    [vectorText(vector), limit],
  )
  // A vector of zeros has no direction, so nothing is close to it.
  return rows.filter(({ score }) => !Number.isNaN(score)).map(hitOf)
}

/** A vector as pgvector reads it, of length 1: the server computes in single precision, in which the squares of small numbers vanish. */
export function vectorText(vector: Float32Array): string {
  const length = norm(vector)
  return `[${(length === 0 ? vector : vector.map((value) => value / length)).join(',')}]`
}

/** A vector as bytes, little-endian on every machine. */
export function vectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4)
  vector.forEach((value, place) => {
    bytes.writeFloatLE(value, place * 4)
  })
  return bytes
}

interface Near {
  readonly id: number
  readonly urn: string
  readonly score: number
}

async function scan(query: Query, tables: Tables, vector: Float32Array, limit: number): Promise<Hit[]> {
  let best: Near[] = []
  let last = 0
  for (;;) {
    const rows = await query<{ readonly id: number; readonly urn: string; readonly vector: Buffer }>(
      `select id, urn, vector from ${tables.vectors} where id > $1 order by id limit ${batch}`,
      [last],
    )
    for (const row of rows) best.push({ id: row.id, urn: row.urn, score: cosine(vector, row.vector) })
    best = best.filter(({ score }) => !Number.isNaN(score))
    best.sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn))
    best = best.slice(0, limit)
    last = rows.at(-1)?.id ?? last
    if (rows.length < batch) break
  }
  const found = await query<HitRow & { readonly id: number }>(`select id, urn, text, headings from ${tables.chunks} where id = any($1)`, [
    best.map(({ id }) => id),
  ])
  const byId = new Map(found.map((row) => [row.id, row]))
  // What was replaced in the meantime is gone.
  return best.flatMap(({ id, score }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [hitOf({ ...row, score })]
  })
}

function cosine(query: Float32Array, bytes: Buffer): number {
  let dot = 0
  let length = 0
  let queryLength = 0
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let place = 0; place < query.length; place++) {
    const value = view.getFloat32(place * 4, true)
    const asked = query[place] ?? 0
    dot += value * asked
    length += value * value
    queryLength += asked * asked
  }
  return dot / Math.sqrt(length * queryLength)
}
