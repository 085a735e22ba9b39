import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { allOf, conditionsOf, type RunMatch, valuesOf } from '../queries/run-filter.ts'
import { type Cell, isCut, Period, readCells } from './period.ts'
import { readFacts } from './read-facts.ts'
import { type Dimension, dimensions } from './run-facts.ts'
import type { Stretch } from './widths.ts'

/** Which runs are summed; times in milliseconds since 1970. */
export type SumsMatch = Pick<RunMatch, Dimension | 'owner'>

const periodsAtOnce = 16
const factsAtOnce = 500

/** Reads the cells that match, period by period, with other work in between: parsing a period takes about a millisecond. */
export async function* matchingCells(
  engine: Engine,
  match: SumsMatch,
  { width, since, until }: Stretch,
): AsyncGenerator<{ readonly at: number; readonly cells: readonly Cell[] }> {
  const test = cellTest(match)
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
      yield { at, cells: test.isNeeded && isCut(cells) ? await cellsOfRuns(engine, match, at, at + width) : readCells(cells, test.matches) }
      await nextTurn()
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < periodsAtOnce) return
    place = last.at
  }
}

function cellTest(match: SumsMatch): { matches(names: readonly string[]): boolean; readonly isNeeded: boolean } {
  const { owner } = match
  const tests = dimensions.flatMap((dimension, index) => {
    const values = valuesOf(match[dimension])
    // A run without a key has no owner.
    const own = dimension === 'key' && owner !== undefined ? [{ index, values: new Set(owner === '' ? [] : [owner]) }] : []
    return values === undefined ? own : [...own, { index, values: new Set(values) }]
  })
  return {
    matches: (names) => tests.every(({ index, values }) => values.has(names[index] ?? '')),
    isNeeded: tests.length > 0,
  }
}

/** The cells of the runs themselves, as far as they have been folded. */
async function cellsOfRuns(engine: Engine, match: SumsMatch, since: number, until: number): Promise<readonly Cell[]> {
  const period = new Period()
  const folded = sql<boolean>`runs.seq <= (select seq from rollup_state where name = 'runs')`
  const conditions = [...conditionsOf(match), sql<boolean>`runs.at < ${until}`, folded]
  for (let place = { at: since, id: '' }; ; ) {
    const after = sql<boolean>`runs.at >= ${place.at} and (runs.at, runs.id) > (${place.at}, ${place.id})`
    const found = await readFacts(engine, allOf([...conditions, after]), sql`at, id`, factsAtOnce)
    for (const one of found) period.add(one)
    const last = found.at(-1)
    if (last === undefined || found.length < factsAtOnce) return readCells(period.write(), () => true)
    place = last
    await nextTurn()
  }
}
