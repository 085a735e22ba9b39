import type { Hit } from '../../index-engine.ts'
import type { Connection } from './file/connection.ts'
import { type Found, readHits } from './read-hits.ts'

/** Where is searched. */
export interface TextIndex {
  readonly connection: Connection
  /** Names its tables. */
  readonly collection: number
  /** How many chunks there are. */
  readonly chunks: number
  /** How many chunks hold a term. */
  readonly holders: (term: string) => number
}

/** Below this many chunks, leaving words out is not worth it. */
const manyChunks = 5000

/** The best chunks for terms by BM25. */
export function searchText(index: TextIndex, terms: readonly string[], limit: number): Hit[] {
  if (terms.length === 0 || limit <= 0) return []
  const weighing = index.chunks < manyChunks ? terms : terms.filter((term) => 2 * index.holders(term) < index.chunks)
  // A word of half of the chunks or more weighs a millionth and costs most of the time: it is left out as long as others find enough.
  let found = weighing.length === 0 ? [] : best(index, weighing, limit)
  if (found.length < limit && weighing.length < terms.length) found = best(index, terms, limit)
  return readHits(index.connection, index.collection, found, limit)
}

function best({ connection, collection }: TextIndex, terms: readonly string[], limit: number): Found[] {
  const table = `terms_${collection}`
  // In quotes a term is only ever a term, whatever it holds.
  const query = terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
  const rows = connection.rows<[number, number]>(`select rowid, rank from ${table} where ${table} match ? order by rank limit ?`, [
    query,
    limit + 1,
  ])
  const found = rows.map(([id, rank]) => ({ id, score: -rank }))
  const [last, next] = [found[limit - 1], found[limit]]
  if (last === undefined || next === undefined || next.score < last.score) return found.slice(0, limit)
  // Several share the last place: which of them are found is decided by their urns.
  const sorted = connection.rows<[number, number]>(
    `select t.rowid, t.rank from ${table} t join chunks_${collection} c on c.id = t.rowid where ${table} match ? order by t.rank, c.urn limit ?`,
    [query, limit],
  )
  return sorted.map(([id, rank]) => ({ id, score: -rank }))
}
