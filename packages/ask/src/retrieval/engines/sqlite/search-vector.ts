import type { Hit } from '../../index-engine.ts'
import type { Connection } from './file/connection.ts'
import { DamagedFile } from './file/unusable-file.ts'
import { readHits } from './read-hits.ts'
import type { CodeMatrix } from './vectors/code-matrix.ts'
import { norm } from './vectors/quantized.ts'

/** The closest chunks by cosine: rounded vectors in memory say which to compare, the file holds the exact ones. */
export function searchVector(connection: Connection, collection: number, matrix: CodeMatrix, vector: Float32Array, limit: number): Hit[] {
  const length = norm(vector)
  const found = matrix.candidates(vector, limit).flatMap((id) => {
    const [row] = connection.rows([['blob', 'vector']], `from vectors_${collection} where id = ?`, [id])
    return row === undefined ? [] : [{ id, score: cosine(row[0], vector, length) }]
  })
  found.sort((one, other) => other.score - one.score)
  const last = found[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
  return readHits(
    connection,
    collection,
    found.filter(({ score }) => score >= last),
    limit,
  )
}

/** Synchronizes a matrix with the file: adds new vectors, drops deleted ones. */
export function refreshMatrix(connection: Connection, collection: number, matrix: CodeMatrix): void {
  const batch = 4096
  const columns = [
    ['integer', 'id'],
    ['real', 'scale'],
    ['real', 'error'],
    ['blob', 'code'],
  ] as const
  for (;;) {
    const rows = connection.rows(columns, `from codes_${collection} where id > ? order by id limit ${batch}`, [matrix.lastId])
    for (const [id, scale, error, code] of rows) {
      // Without order, continuing from the last one would never end.
      if (id <= matrix.lastId || code.length !== matrix.dimensions) throw new DamagedFile('a rounded vector cannot be read')
      matrix.add(id, scale, error, code)
    }
    if (rows.length < batch) break
  }
  const [[count] = [0]] = connection.rows([['integer', 'count(*)']], `from codes_${collection}`)
  if (matrix.rows !== count) matrix.keep(new Set(connection.rows([['integer', 'id']], `from codes_${collection}`).map(([id]) => id)))
}

function cosine(stored: Uint8Array, query: Float32Array, length: number): number {
  if (stored.byteLength !== query.byteLength) throw new DamagedFile('a vector has another length')
  const vector = new Float32Array(stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength))
  let dot = 0
  for (let index = 0; index < vector.length; index++) dot += (vector[index] as number) * (query[index] as number)
  const score = dot / (norm(vector) * length)
  // Zero vectors have no direction and are never requested.
  if (!Number.isFinite(score)) throw new DamagedFile('a vector holds a number that is not finite')
  return score
}
