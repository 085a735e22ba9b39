import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'

/** Sums over some runs. */
export interface Totals {
  readonly runs: number
  /** Number of runs by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly attempts: number
  /** Attempts after the first. */
  readonly retries: number
  readonly repairs: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cost: number
}

/** The sums of no runs. */
export const emptyTotals: Totals = {
  ...{ runs: 0, statuses: {}, attempts: 0, retries: 0, repairs: 0, promptTokens: 0, completionTokens: 0, cost: 0 },
}

/** What runs are grouped by. */
export const groupColumns = ['contract', 'key_name', 'status', 'reason', 'failure_kind'] as const

/** The sums of runs with the same values in some columns; other columns are undefined. */
export interface GroupRow extends Omit<Totals, 'statuses'> {
  readonly contract: string
  readonly key_name: string
  readonly status: string
  readonly reason: string
  readonly failure_kind: string | null
}

/** Most groups that are read at once. */
export const mostGroups = 2000

/** Some runs: from `at` to before `end`, with a condition. */
export interface RunSlice {
  readonly at: number
  readonly end: number
  readonly condition: RawBuilder<SqlBool>
}

/** Sums runs by some columns, the largest groups first. */
export async function readGroups(
  { db }: Engine,
  { at, end, condition }: RunSlice,
  columns: readonly (typeof groupColumns)[number][],
): Promise<readonly GroupRow[]> {
  const group = sql.join(columns.map((column) => sql.ref(column)))
  const { rows } = await sql<GroupRow>`
    select ${group}, count(*) as runs, sum(attempt_count) as attempts,
      sum(case when attempt_count > 1 then attempt_count - 1 else 0 end) as retries, sum(repair_count) as repairs,
      sum(prompt_tokens) as "promptTokens", sum(completion_tokens) as "completionTokens", sum(coalesce(cost, 0)) as cost
    from runs where at >= ${at} and at < ${end} and ${condition}
    group by ${group} order by count(*) desc limit ${sql.lit(mostGroups)}`.execute(db)
  return rows
}

/** Adds a group to sums. */
export function plus(totals: Totals, row: GroupRow): Totals {
  return {
    runs: totals.runs + row.runs,
    statuses: { ...totals.statuses, [row.status]: (totals.statuses[row.status] ?? 0) + row.runs },
    attempts: totals.attempts + row.attempts,
    retries: totals.retries + row.retries,
    repairs: totals.repairs + row.repairs,
    promptTokens: totals.promptTokens + row.promptTokens,
    completionTokens: totals.completionTokens + row.completionTokens,
    cost: totals.cost + row.cost,
  }
}

/** Adds up numbers by names; names beyond a limit are left out. */
export class NamedSums<Names extends object, Numbers extends Readonly<Record<string, number>>> {
  readonly #sums = new Map<string, Names & Numbers>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  add(names: Names, numbers: Numbers): void {
    const key = JSON.stringify(names)
    const known = this.#sums.get(key)
    if (known === undefined && this.#sums.size >= this.#most) return
    const sums = Object.entries(numbers).map(([name, number]) => [name, (known?.[name] ?? 0) + number])
    this.#sums.set(key, { ...names, ...Object.fromEntries(sums) })
  }

  /** The rows with the largest numbers: by the first of some numbers, then by the next. */
  top(most: number, ...by: readonly (keyof Numbers)[]): readonly (Names & Numbers)[] {
    const difference = (a: Numbers, b: Numbers): number => by.map((name) => Number(b[name]) - Number(a[name])).find((one) => one !== 0) ?? 0
    return [...this.#sums.values()].sort(difference).slice(0, most)
  }
}

/** The number of runs with an error. */
export interface CodeCount {
  readonly validator: string
  readonly code: string
  readonly runs: number
}

/** The most frequent errors: over all, by contract and by model. */
export interface CodeCounts {
  readonly codes: readonly CodeCount[]
  readonly codesByContract: readonly (CodeCount & { readonly contract: string })[]
  readonly codesByModel: readonly (CodeCount & { readonly model: string })[]
}

const mostCodeGroups = 1000
const mostCodes = 5000
const topCodes = 20

type Runs = Readonly<Record<'runs', number>>
type CodeNames = Pick<CodeCount, 'validator' | 'code'>

/** Adds up the errors of several periods; of each period the 1000 most frequent groups count. */
export class CodeTally {
  readonly #codes = new NamedSums<CodeNames, Runs>(mostCodes)
  readonly #byContract = new NamedSums<CodeNames & { readonly contract: string }, Runs>(mostCodes)
  readonly #byModel = new NamedSums<CodeNames & { readonly model: string }, Runs>(mostCodes)

  async add({ db }: Engine, { at, end, condition }: RunSlice): Promise<void> {
    const { rows } = await sql<CodeCount & { readonly contract: string; readonly model: string }>`
      select issues.validator, issues.code, runs.contract, runs.model, count(*) as runs
      from issues join runs on runs.id = issues.run_id and runs.at = issues.at
      where issues.leads = 1 and issues.severity = 'error' and issues.at >= ${at} and issues.at < ${end} and ${condition}
      group by issues.validator, issues.code, runs.contract, runs.model order by count(*) desc limit ${sql.lit(mostCodeGroups)}`.execute(db)
    for (const { validator, code, contract, model, runs } of rows) {
      this.#codes.add({ validator, code }, { runs })
      this.#byContract.add({ contract, validator, code }, { runs })
      this.#byModel.add({ model, validator, code }, { runs })
    }
  }

  /** The most frequent errors so far. */
  top(): CodeCounts {
    return { codes: mostFrequent(this.#codes), codesByContract: mostFrequent(this.#byContract), codesByModel: mostFrequent(this.#byModel) }
  }
}

function mostFrequent<Names extends CodeNames>(sums: NamedSums<Names, Runs>): readonly (Names & Runs)[] {
  const byCode = [...sums.top(mostCodes)].sort((a, b) => b.runs - a.runs || (a.code < b.code ? -1 : 1))
  return byCode.slice(0, topCodes)
}
