import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { name } from '../rows/values.ts'
import type { RunPage } from './listed-run.ts'
import { type ListedRow, listedColumns, listedRuns } from './listed-run.ts'
import { pageSize, readSequence } from './page.ts'
import type { RunFilter } from './run-filter.ts'
import { allOf, conditionsOf, timeConditions } from './run-filter.ts'
import { termsOf, wordsOf } from './words.ts'

const foundAtOnce = 400
/** How many runs with the words are looked at for one page; the cursor continues after them. */
const mostFound = 20_000
const mostWords = 16

/** Lists the runs whose texts have all words, the last recorded first; in small steps, so that none blocks the event loop for long. */
export async function searchRuns(engine: Engine, { q, before, limit, ...match }: RunFilter & { readonly q: string }): Promise<RunPage> {
  const { owner } = match
  const terms = termsOf(wordsOf(q, mostWords), owner === undefined ? undefined : name(owner))
  const size = pageSize(limit)
  const rows: ListedRow[] = []
  if (terms.length === 0) return { runs: [] }
  let place = before === undefined ? Number.MAX_SAFE_INTEGER : readSequence(before)
  for (let looked = 0; ; ) {
    const found = await runsWithTerms(engine, terms, place)
    looked += found.length
    const last = found.at(-1)
    if (last === undefined) break
    const conditions = [...conditionsOf(match), ...timeConditions(match, 'runs.at'), sql<boolean>`runs.seq in (${sql.join(found)})`]
    const matching = await sql<ListedRow>`select ${listedColumns} from runs where ${allOf(conditions)}
      order by runs.seq desc limit ${sql.lit(size + 1 - rows.length)}`.execute(engine.db)
    rows.push(...matching.rows)
    if (rows.length > size) break
    place = last
    if (found.length < foundAtOnce) return { runs: await listedRuns(engine, rows) }
    if (looked >= mostFound) return { runs: await listedRuns(engine, rows), next: String(place) }
    await nextTurn()
  }
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { runs: await listedRuns(engine, page), ...(rows.length > size && last ? { next: String(last.seq) } : {}) }
}

async function runsWithTerms({ db, name: engine }: Engine, terms: readonly string[], before: number): Promise<readonly number[]> {
  const most = sql.lit(foundAtOnce)
  if (engine === 'postgres') {
    const { rows } = await sql<{ seq: number }>`select seq from run_words where words @> ${[...terms]}
      and seq < ${before} order by seq desc limit ${most}`.execute(db)
    return rows.map(({ seq }) => seq)
  }
  // Terms have no quotes, so a quoted term is never syntax.
  const query = terms.map((term) => `"${term}"`).join(' ')
  const { rows } = await sql<{ seq: number }>`select rowid as seq from run_words where run_words match ${query} and rowid < ${before}
    order by rowid desc limit ${most}`.execute(db)
  return rows.map(({ seq }) => seq)
}
