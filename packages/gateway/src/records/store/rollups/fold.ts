import { type Kysely, sql } from 'kysely'
import type { Engine, Folded } from '../engine/engine.ts'
import { termsOf, wordsOf } from '../queries/words.ts'
import type { Tables } from '../rows/tables.ts'
import { type RunFacts, readFacts } from './read-facts.ts'
import { Period, readCells } from './sums.ts'
import { dayMs, widths } from './widths.ts'

const batchRuns = 500
const longestText = 8000
const mostWords = 2000

/**
 * Adds the next runs to the sums of their periods, each exactly once: the last added `seq` is moved in the same transaction, and only
 * if no other gateway has moved it meanwhile. Runs become visible in the order of `seq`, so none is skipped.
 */
export async function fold(engine: Engine, now: number, most = batchRuns): Promise<Folded> {
  const state = await engine.db.selectFrom('rollup_state').select('seq').where('name', '=', 'runs').executeTakeFirst()
  const from = state?.seq ?? 0
  const found = await readFacts(engine, sql`seq > ${from}`, sql`seq`, most)
  const last = found.at(-1)
  if (last === undefined) return { runs: 0, more: false }
  const periods = periodsOf(found, now)
  const words = await readWords(engine, from, last.seq)
  await engine.transaction(async (db) => {
    const moved = await db
      .updateTable('rollup_state')
      .set({ seq: last.seq })
      .where('name', '=', 'runs')
      .where('seq', '=', from)
      .returning('seq')
      .execute()
    if (moved.length === 0) return
    for (const { width, at, period } of periods) await addTo(db, width, at, period)
    await writeWords(db, engine.name, words)
  })
  return { runs: found.length, more: found.length === most }
}

interface PlacedPeriod {
  readonly width: number
  readonly at: number
  readonly period: Period
}

/** Sums runs once, in the shortest periods; longer ones are made of those. */
function periodsOf(facts: readonly RunFacts[], now: number): readonly PlacedPeriod[] {
  const [shortest] = widths
  let periods = new Map<number, Period>()
  for (const one of facts) periodAt(periods, one.at, shortest.width).add(one)
  return widths.flatMap(({ width, days }) => {
    const longer = new Map<number, Period>()
    for (const [at, period] of periods) periodAt(longer, at, width).addAll(period.cells)
    periods = longer
    // What is too old would be deleted soon.
    return [...longer].filter(([at]) => at + width > now - days * dayMs).map(([at, period]) => ({ width, at, period }))
  })
}

function periodAt(periods: Map<number, Period>, time: number, width: number): Period {
  const at = Math.floor(time / width) * width
  const known = periods.get(at)
  if (known !== undefined) return known
  const period = new Period()
  periods.set(at, period)
  return period
}

async function addTo(db: Kysely<Tables>, width: number, at: number, period: Period): Promise<void> {
  const known = await db.selectFrom('rollups').select('cells').where('width', '=', width).where('at', '=', at).executeTakeFirst()
  const sum = new Period()
  if (known) sum.addAll(readCells(known.cells))
  sum.addAll(period.cells)
  const cells = sum.write()
  await db
    .insertInto('rollups')
    .values({ width, at, cells })
    .onConflict((conflict) => conflict.columns(['width', 'at']).doUpdateSet({ cells }))
    .execute()
}

interface WordsRow {
  readonly seq: number
  readonly at: number
  readonly terms: readonly string[]
}

async function readWords({ db }: Engine, after: number, to: number): Promise<readonly WordsRow[]> {
  const most = sql.lit(longestText)
  const { rows } = await sql<{ seq: number; at: number; key: string; request: string | null; text: string | null }>`
    select seq, at, key_name as key, substr(request, 1, ${most}) as request, substr(text, 1, ${most}) as text from runs
    where seq > ${after} and seq <= ${to} and (request is not null or text is not null)`.execute(db)
  return rows.map(({ seq, at, key, request, text }) => {
    const words = wordsOf(`${request ?? ''}\n${text ?? ''}`, mostWords)
    return { seq, at, terms: [...termsOf(words), ...(key === '' ? [] : termsOf(words, key))] }
  })
}

async function writeWords(db: Kysely<Tables>, engine: Engine['name'], rows: readonly WordsRow[]): Promise<void> {
  for (const { seq, at, terms } of rows) {
    if (terms.length === 0) continue
    if (engine === 'sqlite') await sql`insert into run_words (rowid, words) values (${seq}, ${terms.join(' ')})`.execute(db)
    else await sql`insert into run_words (seq, at, words) values (${seq}, ${at}, ${[...terms]}) on conflict do nothing`.execute(db)
  }
}
