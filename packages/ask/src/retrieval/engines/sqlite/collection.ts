import type { Embedding } from '../embedding-problems.ts'
import type { Connection } from './file/connection.ts'

/** A collection of an index file. */
export interface Collection {
  /** Names its tables. */
  readonly id: number
  readonly embedding?: Embedding
}

/** Finds a collection by its name. */
export function findCollection(connection: Connection, name: string): Collection | undefined {
  const columns = [
    ['integer', 'id'],
    ['text?', 'embedding'],
    ['integer?', 'dimensions'],
  ] as const
  const [row] = connection.rows(columns, 'from collections where name = ?', [name])
  if (row === undefined) return undefined
  const [id, embedding, dimensions] = row
  return embedding === null || dimensions === null ? { id } : { id, embedding: { name: embedding, dimensions } }
}
