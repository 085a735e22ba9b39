import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'

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

interface GroupRow extends CodeCount {
  readonly contract: string
  readonly model: string
}

const mostGroups = 1000
const mostKeys = 5000
const topKeys = 20

/** Adds up the errors of several periods; of each period the 1000 most frequent groups count. */
export class CodeTally {
  readonly #codes = new Map<string, CodeCount>()
  readonly #byContract = new Map<string, CodeCount & { readonly contract: string }>()
  readonly #byModel = new Map<string, CodeCount & { readonly model: string }>()

  /** Adds the errors of the runs from `at` to `end` that meet a condition. */
  async add({ db }: Engine, at: number, end: number, condition: RawBuilder<SqlBool>): Promise<void> {
    const { rows } = await sql<GroupRow>`
      select issues.validator, issues.code, runs.contract, runs.model, count(*) as runs
      from issues join runs on runs.id = issues.run_id and runs.at = issues.at
      where issues.leads = 1 and issues.severity = 'error' and issues.at >= ${at} and issues.at < ${end} and ${condition}
      group by issues.validator, issues.code, runs.contract, runs.model order by count(*) desc limit ${sql.lit(mostGroups)}`.execute(db)
    for (const { validator, code, contract, model, runs } of rows) {
      count(this.#codes, { validator, code, runs })
      count(this.#byContract, { contract, validator, code, runs })
      count(this.#byModel, { model, validator, code, runs })
    }
  }

  /** The most frequent errors so far. */
  top(): CodeCounts {
    return { codes: largest(this.#codes), codesByContract: largest(this.#byContract), codesByModel: largest(this.#byModel) }
  }
}

function count<Counted extends CodeCount>(counts: Map<string, Counted>, { runs, ...group }: Counted): void {
  const key = JSON.stringify(group)
  const known = counts.get(key)
  if (!known && counts.size >= mostKeys) return
  counts.set(key, { ...group, runs: (known?.runs ?? 0) + runs } as Counted)
}

function largest<Counted extends CodeCount>(counts: Map<string, Counted>): readonly Counted[] {
  return [...counts.values()].sort((a, b) => b.runs - a.runs || (a.code < b.code ? -1 : 1)).slice(0, topKeys)
}
