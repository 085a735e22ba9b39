import type { Hit } from '../../index-engine.ts'
import type { Connection } from './file/connection.ts'
import { type Found, readHits } from './read-hits.ts'

/** Where to search. */
export interface TextIndex {
  readonly connection: Connection
  /** Names its tables. */
  readonly collection: number
  /** Total number of chunks. */
  readonly chunks: number
  /** Number of chunks with a term. */
  readonly holders: (term: string) => number
}

/**
 * How many occurrences of its terms a search may read, at about half a microsecond each: so none
 * takes forever.
 */
const mostPlaces = 200_000
/** Below this, a search is cheaper than counting. */
const fewPlaces = 25_000

/**
 * The best chunks for terms by BM25. In a large index the most frequent terms, which weigh least,
 * are left out as long as others find enough.
 */
export function searchText(index: TextIndex, terms: readonly string[], limit: number): Hit[] {
  if (terms.length === 0 || limit <= 0) return []
  if (index.chunks * terms.length <= fewPlaces) return readHits(index.connection, index.collection, best(index, terms, limit), limit)
  const counted = terms.map((term) => ({ term, count: index.holders(term) })).sort((one, other) => one.count - other.count)
  // BM25 gives a term that is in half of the chunks or more a millionth of the weight of others.
  const weighing = rarestTerms(counted, index.chunks / 2, 1)
  let found = best(index, weighing, limit)
  if (found.length < limit && weighing.length < terms.length)
    found = best(index, rarestTerms(counted, Number.POSITIVE_INFINITY, weighing.length + 1), limit)
  return readHits(index.connection, index.collection, found, limit)
}

/**
 * The rarest terms, each in fewer chunks than `below`, with bounded occurrences; but `least` of
 * them, and one that is found.
 */
function rarestTerms(counted: readonly { readonly term: string; readonly count: number }[], below: number, least: number): string[] {
  const chosen: string[] = []
  let places = 0
  for (const { term, count } of counted) {
    if (places > 0 && chosen.length >= least && (count >= below || places + count > mostPlaces)) break
    chosen.push(term)
    places += count
  }
  return chosen
}

function best({ connection, collection }: TextIndex, terms: readonly string[], limit: number): Found[] {
  const table = `terms_${collection}`
  // In quotes a term is always a term, whatever it contains.
  const query = terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
  const rows = connection.rows(
    [
      ['integer', 'rowid'],
      ['real', 'rank'],
    ],
    `from ${table} where ${table} match ? order by rank limit ?`,
    [query, limit + 1],
  )
  const found = rows.map(([id, rank]) => ({ id, score: -rank }))
  const [last, next] = [found[limit - 1], found[limit]]
  if (last === undefined || next === undefined || next.score < last.score) return found.slice(0, limit)
  // Several share the last place: their urns decide which of them are found.
  const sorted = connection.rows(
    [
      ['integer', 't.rowid'],
      ['real', 't.rank'],
    ],
    `from ${table} t join chunks_${collection} c on c.id = t.rowid where ${table} match ? order by t.rank, c.urn limit ?`,
    [query, limit],
  )
  return sorted.map(([id, rank]) => ({ id, score: -rank }))
}
