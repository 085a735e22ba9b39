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

/** How many places of its terms a search may read, each of which costs about half a microsecond: so none takes forever. */
const mostPlaces = 200_000
/** A search that reads fewer is not worth counting for. */
const fewPlaces = 25_000

/** The best chunks for terms by BM25. In a large index the most frequent terms, which weigh the least, are left out as long as others find enough. */
export function searchText(index: TextIndex, terms: readonly string[], limit: number): Hit[] {
  if (terms.length === 0 || limit <= 0) return []
  const weighing = weighingTerms(index, terms)
  let found = best(index, weighing, limit)
  if (found.length < limit && weighing.length < terms.length) found = best(index, terms, limit)
  return readHits(index.connection, index.collection, found, limit)
}

/** The rarest terms whose places are not too many, but at least one that is found. */
function weighingTerms({ chunks, holders }: TextIndex, terms: readonly string[]): readonly string[] {
  if (chunks * terms.length <= fewPlaces) return terms
  const counted = terms.map((term) => ({ term, count: holders(term) })).sort((one, other) => one.count - other.count)
  const chosen: string[] = []
  let places = 0
  for (const { term, count } of counted) {
    // BM25 gives a term of half of the chunks or more a millionth of the weight of others.
    if (places > 0 && (2 * count >= chunks || places + count > mostPlaces)) break
    chosen.push(term)
    places += count
  }
  return chosen
}

function best({ connection, collection }: TextIndex, terms: readonly string[], limit: number): Found[] {
  const table = `terms_${collection}`
  // In quotes a term is only ever a term, whatever it holds.
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
  // Several share the last place: which of them are found is decided by their urns.
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
