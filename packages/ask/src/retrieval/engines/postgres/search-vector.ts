import type { Hit } from '../../index-engine.ts'
import { checkedQuery, type Embedding } from '../checked-documents.ts'
import { urnOrder } from '../urn-order.ts'
import type { Query } from './database.ts'
import { type HitRow, hitOf } from './search-text.ts'
import type { Tables, VectorStorage } from './tables.ts'

/** What the row of metadata says about vectors. */
export interface VectorFacts {
  readonly storage: VectorStorage
  readonly embedding: string | null
  readonly dimensions: number | null
}

/** The embedder of a collection; absent when it has no vectors. */
export function embeddingOf({ embedding: name, dimensions }: VectorFacts): Embedding | undefined {
  return name === null || dimensions === null ? undefined : { name, dimensions }
}

/** Compares with every vector: in the server where it has pgvector, else here. */
export async function searchVector(query: Query, tables: Tables, vector: Float32Array, name: string, limit: number): Promise<Hit[]> {
  const [facts] = await query<VectorFacts>(`select storage, embedding, dimensions from ${tables.meta}`)
  const asked = checkedQuery(vector, name, facts && embeddingOf(facts))
  if (asked === undefined || limit < 1) return []
  if (facts?.storage === 'bytea') return scanVectors(query, tables, asked, limit)
  const rows = await query<HitRow>(
    `select c.urn, c.text, c.headings, 1 - r.distance as score from (
        select id, urn, vector <=> $1::vector as distance from ${tables.vectors} order by distance, urn limit $2
      ) r join ${tables.chunks} c using (id) order by r.distance, r.urn`,
    [vectorText(asked), limit],
  )
  return rows.map(hitOf)
}

/** Vectors that are fetched at once; comparing them blocks for a few milliseconds. */
const batch = 1000

/** Compares with every vector in this process: for small collections, where the server has no pgvector. */
async function scanVectors(query: Query, tables: Tables, vector: Float32Array, limit: number): Promise<Hit[]> {
  let best: { readonly id: number; readonly urn: string; readonly score: number }[] = []
  for (let last = 0, count = batch; count === batch; ) {
    const rows = await query<{ id: number; urn: string; vector: Buffer }>(
      `select id, urn, vector from ${tables.vectors} where id > $1 order by id limit ${batch}`,
      [last],
    )
    for (const { id, urn, vector: bytes } of rows) best.push({ id, urn, score: dot(vector, bytes) })
    best = best.sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn)).slice(0, limit)
    last = rows.at(-1)?.id ?? last
    count = rows.length
  }
  const found = await query<HitRow & { readonly id: number }>(
    `select id, urn, text, headings, 0 as score from ${tables.chunks} where id = any($1)`,
    [best.map(({ id }) => id)],
  )
  const byId = new Map(found.map((row) => [row.id, row]))
  return best.flatMap(({ id, score }) => {
    const row = byId.get(id)
    return row === undefined ? [] : [hitOf({ ...row, score })]
  })
}

/** The cosine of vectors of length 1. */
function dot(vector: Float32Array, bytes: Buffer): number {
  const stored = new Float32Array(new Uint8Array(bytes).buffer)
  let sum = 0
  for (let place = 0; place < stored.length; place++) sum += (vector[place] ?? 0) * (stored[place] ?? 0)
  return sum
}

/** A vector as pgvector reads it. */
export function vectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}

/** A vector as bytes: little-endian, as all machines are that Node.js runs on but some mainframes. */
export function vectorBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}
