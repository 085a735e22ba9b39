import type { Hit } from '../../index-engine.ts'
import { queryTerms } from '../stored-text.ts'
import type { Query } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * Ranking reads no more passages than this: the most frequent terms of a query only add to the
 * weight of passages that the others find.
 */
const mostRanked = 20_000

interface TermRow {
  readonly term: string
  readonly weight: number
  readonly chunks: number
}

/** Ranks by BM25 (k1 = 1.2, b = 0.75), with the frequencies of the collection. */
export async function searchText(query: Query, tables: Tables, terms: readonly string[], limit: number): Promise<Hit[]> {
  const asked = queryTerms(terms)
  if (asked.length === 0 || limit < 1) return []
  const known = await query<TermRow & { readonly average: number }>(
    `select term, n.chunks, greatest(1e-6, ln((m.chunks - n.chunks + 0.5) / (n.chunks + 0.5)))::float8 as weight,
      m.length::float8 / m.chunks as average
    from ${tables.meta} m, unnest($1::text[], $2::text[]) as t (term, quoted),
      lateral (select count(*) as chunks from ${tables.words} where words @@ quoted::tsquery) n
    where n.chunks > 0 order by n.chunks, term`,
    [asked, asked.map(quoted)],
  )
  const [first] = known
  if (first === undefined) return []
  const { text, values } = ranking(tables, known, first.average, limit)
  return (await query<HitRow>(text, values)).map(hitOf)
}

/** The rarest terms, as long as they find no more passages than can be ranked; at least one. */
function finders(known: readonly TermRow[], most = mostRanked): readonly TermRow[] {
  let sum = 0
  const tooMany = known.findIndex(({ chunks }) => {
    sum += chunks
    return sum > most
  })
  return tooMany === -1 ? known : known.slice(0, Math.max(1, tooMany))
}

function ranking(tables: Tables, known: readonly TermRow[], average: number, limit: number): { text: string; values: unknown[] } {
  const match = finders(known)
    .map(({ term }) => quoted(term))
    .join(' | ')
  const values: unknown[] = [match, limit, 0.9 / average]
  const scores = known.map(({ term, weight }) => {
    values.push(quoted(term), weight)
    // ts_rank with equal weights is the sum of 1/n² over the n occurrences of a term, over π²/6;
    // this turns it back into n.
    const count = `round(1 / (1.6449340668482264 - 1.64493406685 * ts_rank('{1,1,1,1}', words, $${values.length - 1}::tsquery)) - 0.5)`
    return `$${values.length}::float8 * (1 - k / (k + ${count}))`
  })
  return {
    text: `select c.urn, c.text, c.headings, r.score from (
        select id, urn, ${scores.join(' + ')} as score
        from (select id, urn, words, 0.3 + length * $3::float8 as k from ${tables.words} where words @@ $1::tsquery offset 0) w
        order by score desc, urn limit $2
      ) r join ${tables.chunks} c using (id) order by r.score desc, r.urn`,
    values,
  }
}

/** Stored terms contain neither quotes nor backslashes; in quotes, nothing else is an operator. */
export function quoted(term: string): string {
  return `'${term}'`
}

/** A found passage as a row. */
export interface HitRow {
  readonly urn: string
  readonly text: string
  /** A list in JSON. */
  readonly headings: string
  readonly score: number
}

/** The passage of a row. */
export function hitOf({ urn, text, headings, score }: HitRow): Hit {
  return { urn, text, headings: JSON.parse(headings) as string[], score }
}
