import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { checkTimes } from '../queries/stats.ts'
import { addTallies, type RepairCount, type RuleCount, repairsOf, rulesOf } from './overview.ts'
import { matchingCells } from './read-periods.ts'
import { dimensions } from './run-facts.ts'
import { type RunTotals, Totals } from './totals.ts'
import { stepFor } from './widths.ts'

/** What the rules of one contract found and repaired. */
export interface ContractStats {
  readonly contract: string
  readonly totals: RunTotals
  readonly rules: readonly (RuleCount & {
    /** Labelled runs in which the rule was found: one that is good is a false alarm. */
    readonly labelled: { readonly good: number; readonly bad: number }
  })[]
  readonly repairs: readonly RepairCount[]
  /** Labelled runs. */
  readonly labelled: { readonly good: number; readonly bad: number }
}

/** The contracts with runs in some time, the busiest first. */
export interface ContractSums {
  /** Times are widened to whole periods. */
  readonly since: number
  readonly until: number
  readonly items: readonly ContractStats[]
}

interface LabelRow {
  readonly contract: string
  readonly validator: string
  readonly code: string
  readonly label: string
  readonly runs: number
}

const mostRules = 200
const mostContracts = 500

/** Sums the rules and repairs of each contract. */
export async function contractStats(
  engine: Engine,
  asked: { readonly since: number; readonly until: number },
  now: number,
): Promise<ContractSums> {
  checkTimes([asked.since, asked.until, 1])
  const { step, width } = stepFor(asked.since, asked.until, now)
  const since = Math.floor(asked.since / step) * step
  const until = Math.ceil(asked.until / step) * step
  const sums = new Map<string, { totals: Totals; rules: Map<string, number[]>; repairs: Map<string, number[]> }>()
  for await (const { cells } of matchingCells(engine, {}, { width, since, until })) {
    for (const cell of cells) {
      const contract = cell.names[dimensions.indexOf('contract')] ?? ''
      const known = sums.get(contract) ?? { totals: new Totals(), rules: new Map(), repairs: new Map() }
      if (!sums.has(contract) && sums.size >= mostContracts) continue
      sums.set(contract, known)
      known.totals.add(cell)
      addTallies(known.rules, cell, 'rules', '')
      addTallies(known.repairs, cell, 'repairs', '')
    }
  }
  const keyOf = (...names: readonly string[]): string => names.join('\0')
  const labels = new Map(
    (await readLabels(engine, since, until)).map((one) => [keyOf(one.label, one.contract, one.validator, one.code), one.runs]),
  )
  const countOf = (...names: readonly string[]): number => labels.get(keyOf(...names)) ?? 0
  const labelled = (contract: string, validator = '', code = '') => ({
    good: countOf('good', contract, validator, code),
    bad: countOf('bad', contract, validator, code),
  })
  const items = [...sums].map(
    ([contract, { totals, rules, repairs }]): ContractStats => ({
      contract,
      totals: totals.value(),
      rules: rulesOf(rules, mostRules).map((rule) => ({ ...rule, labelled: labelled(contract, rule.validator, rule.code) })),
      repairs: repairsOf(repairs, mostRules),
      labelled: labelled(contract),
    }),
  )
  return { since, until, items: items.sort((a, b) => b.totals.runs - a.totals.runs) }
}

/** The labelled runs of each contract, and of each of its rules that was found in them. */
async function readLabels({ db }: Engine, since: number, until: number): Promise<readonly LabelRow[]> {
  const own = sql`labels join runs on runs.id = labels.run_id and runs.at = labels.at`
  const during = sql`labels.at >= ${since} and labels.at < ${until}`
  const all = await sql<LabelRow>`select runs.contract, '' as validator, '' as code, labels.label, count(*) as runs
    from ${own} where ${during} group by runs.contract, labels.label`.execute(db)
  const found = await sql<LabelRow>`select runs.contract, issues.validator, issues.code, labels.label, count(distinct runs.id) as runs
    from ${own} join issues on issues.run_id = runs.id and issues.at = runs.at
    where ${during} group by runs.contract, issues.validator, issues.code, labels.label`.execute(db)
  return [...all.rows, ...found.rows]
}
