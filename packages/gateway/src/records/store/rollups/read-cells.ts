import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { QueryError } from '../queries/page.ts'
import { allOf, conditionsOf, type RunMatch, timeConditions, valuesOf } from '../queries/run-filter.ts'
import { type RunFacts, readFacts } from './read-facts.ts'
import { type Cell, type Dimension, dimensions, isCut, Period, readCells } from './sums.ts'
import { type Stretch, stretchesOf, widthFor } from './widths.ts'

/** Which runs are summed. */
export type SumsMatch = Pick<RunMatch, Dimension | 'owner'>

/** Some time, in milliseconds since 1970: `since` inclusive, `until` exclusive. */
export interface Span {
  readonly since: number
  readonly until: number
}

/** Combinations of names that are told apart in sums of runs. */
export const mostCombinations = 20_000

/** Throws a QueryError unless all are integers, and `until` is after `since`. */
export function checkSpan({ since, until }: Span): void {
  if (Number.isSafeInteger(since) && Number.isSafeInteger(until) && until > since) return
  throw new QueryError('since and until must be whole numbers, and until must be after since')
}

const periodsAtOnce = 16
// Attempts may hold long texts, and SQLite blocks the event loop.
const factsAtOnce = 50

/** Reads the cells that match, period by period, with other work in between: parsing a period takes about a millisecond. */
export async function* matchingCells(
  engine: Engine,
  match: SumsMatch,
  { width, since, until }: Stretch,
): AsyncGenerator<{ readonly at: number; readonly cells: Iterable<Cell> }> {
  const tests = cellTests(match)
  const test = (names: readonly string[]): boolean => tests.every(({ index, values }) => values.has(names[index] ?? ''))
  for (let place = since - 1; ; ) {
    const rows = await engine.db
      .selectFrom('rollups')
      .select(['at', 'cells'])
      .where('width', '=', width)
      .where('at', '>', place)
      .where('at', '<', until)
      .orderBy('at')
      .limit(periodsAtOnce)
      .execute()
    for (const { at, cells } of rows) {
      // Names beyond the limit of a period are not told apart in it.
      yield {
        at,
        cells:
          tests.length > 0 && isCut(cells)
            ? await cellsOfRuns(engine, match, { since: at, until: at + width }, { only: isFolded })
            : readCells(cells, test),
      }
      await nextTurn()
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < periodsAtOnce) return
    place = last.at
  }
}

function cellTests(match: SumsMatch): readonly { readonly index: number; readonly values: ReadonlySet<string> }[] {
  const { owner } = match
  return dimensions.flatMap((dimension, index) => {
    const values = valuesOf(match[dimension])
    // A run without a key has no owner.
    const own = dimension === 'key' && owner !== undefined ? [{ index, values: new Set(owner === '' ? [] : [owner]) }] : []
    return values === undefined ? own : [...own, { index, values: new Set(values) }]
  })
}

const isFolded = sql<SqlBool>`runs.seq <= (select seq from rollup_state where name = 'runs')`

/** The cells of the runs in exactly some time: of whole periods, and of the runs that these do not have. */
export async function* exactCells(engine: Engine, match: SumsMatch, span: Span, now: number): AsyncGenerator<Iterable<Cell>> {
  const { since, until } = span
  const width = widthFor(since, now)
  const [first, last] = [Math.ceil(since / width) * width, Math.floor(until / width) * width]
  if (first >= last) {
    yield await cellsOfRuns(engine, match, span)
    return
  }
  for (const stretch of stretchesOf(first, last, width)) for await (const { cells } of matchingCells(engine, match, stretch)) yield cells
  if (since < first) yield await cellsOfRuns(engine, match, { since, until: first })
  if (last < until) yield await cellsOfRuns(engine, match, { since: last, until })
  // Asked last, so that none that is added meanwhile counts twice.
  const { rows } = await sql<{ folded: number; newest: number | null }>`select seq as folded, (select max(seq) from runs) as newest
    from rollup_state where name = 'runs'`.execute(engine.db)
  const [{ folded = 0, newest = 0 } = {}] = rows
  const left = (newest ?? 0) - folded
  if (left <= 0) return
  const order = left > mostBySequence ? byTime : bySequence
  yield await cellsOfRuns(engine, match, { since: first, until: last }, { order, only: sql`runs.seq > ${folded}` })
}

/** Beyond this many runs that no period has, those of some time are found faster by their time. */
const mostBySequence = 20_000

/** The order in which runs are read, step by step. */
interface Order {
  readonly columns: RawBuilder<unknown>
  during(span: Span): readonly RawBuilder<SqlBool>[]
  after(run: RunFacts): RawBuilder<SqlBool>
}

const byTime: Order = {
  columns: sql`at, id`,
  during: (span) => timeConditions(span, 'runs.at'),
  after: ({ at, id }) => sql`runs.at >= ${at} and (runs.at, runs.id) > (${at}, ${id})`,
}

const bySequence: Order = {
  columns: sql`seq`,
  // The sign keeps SQLite from reading all runs of the time, in order to sort them.
  during: ({ since, until }) => [sql`+runs.at >= ${since} and +runs.at < ${until}`],
  after: ({ seq }) => sql`runs.seq > ${seq}`,
}

/** The cells of the runs themselves. */
async function cellsOfRuns(
  engine: Engine,
  match: SumsMatch,
  span: Span,
  { order = byTime, only }: { readonly order?: Order; readonly only?: RawBuilder<SqlBool> } = {},
): Promise<Iterable<Cell>> {
  const period = new Period(mostCombinations)
  const conditions = [...conditionsOf(match), ...order.during(span), ...(only ? [only] : [])]
  for (let last: RunFacts | undefined; ; ) {
    const after = last === undefined ? [] : [order.after(last)]
    const found = await readFacts(engine, allOf([...conditions, ...after]), order.columns, factsAtOnce)
    period.addAll(found)
    last = found.at(-1)
    if (last === undefined || found.length < factsAtOnce) return period.cells
    await nextTurn()
  }
}
