import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AttemptRecord } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'

/** What one validator costs: retries that it asked for, and what they used. */
export interface ValidatorCost {
  readonly validator: string
  /** Runs in which it asked for a retry. */
  readonly runs: number
  /** Retries that it asked for, alone or with others. */
  readonly retries: number
  /** Tokens of those retries; where several validators asked for one, each bears the same share. */
  readonly tokens: number
  /** Money for those retries, shared in the same way. */
  readonly cost: number
}

interface RetriedRow {
  readonly at: number
  readonly id: string
  readonly attempts: string
  readonly cost: number | null
}

type Attempt = Pick<AttemptRecord, 'number' | 'usage' | 'issues' | 'decision'>

// Attempts may hold long texts.
const pageRows = 50
const mostValidators = 1000

/** Adds up which validators asked for retries; the attempts of a run are JSON in one column, so they are read here. */
export class RetryCosts {
  readonly #costs = new Map<string, ValidatorCost>()

  /** Adds the runs from `at` to `end` that meet a condition. */
  async add({ db }: Engine, at: number, end: number, condition: RawBuilder<SqlBool>): Promise<void> {
    for (let place = { at, id: '' }; ; ) {
      const { rows } = await sql<RetriedRow>`
        select at, id, attempts, cost from runs
        where at >= ${place.at} and at < ${end} and (at, id) > (${place.at}, ${place.id}) and attempt_count > 1 and attempts is not null
          and ${condition}
        order by at, id limit ${sql.lit(pageRows)}`.execute(db)
      for (const row of rows) this.#addRun(row)
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageRows) return
      place = last
    }
  }

  /** The dearest validators first. */
  top(most: number): readonly ValidatorCost[] {
    return [...this.#costs.values()].sort((a, b) => b.cost - a.cost || b.retries - a.retries || b.runs - a.runs).slice(0, most)
  }

  #addRun({ attempts: written, cost }: RetriedRow): void {
    const attempts = readAttempts(written)
    const shares = sharesOf(attempts)
    const counted = new Set<string>()
    for (const [index, next] of attempts.entries()) {
      const before = attempts[index - 1]
      if (before === undefined) continue
      const blamed = new Set(before.issues.flatMap(({ severity, validator }) => (severity === 'error' ? [validator] : [])))
      for (const validator of blamed) {
        const part = 1 / blamed.size
        this.#addTo(validator, {
          runs: counted.has(validator) ? 0 : 1,
          tokens: tokensOf(next) * part,
          cost: (cost ?? 0) * (shares[index] ?? 0) * part,
        })
        counted.add(validator)
      }
    }
  }

  #addTo(validator: string, { runs, tokens, cost }: Pick<ValidatorCost, 'runs' | 'tokens' | 'cost'>): void {
    const known = this.#costs.get(validator)
    if (known === undefined && this.#costs.size >= mostValidators) return
    const { retries = 0, ...sums } = known ?? { runs: 0, tokens: 0, cost: 0 }
    this.#costs.set(validator, {
      validator,
      runs: sums.runs + runs,
      retries: retries + 1,
      tokens: sums.tokens + tokens,
      cost: sums.cost + cost,
    })
  }
}

/** Reads the column; none from one that was written by hand. */
function readAttempts(written: string): readonly Attempt[] {
  try {
    const attempts: unknown = JSON.parse(written)
    return Array.isArray(attempts) ? attempts.filter((one) => Array.isArray(one?.issues)) : []
  } catch {
    return []
  }
}

/** Which part of what the run cost each attempt bears: by its own cost, or by its tokens, or all the same. */
function sharesOf(attempts: readonly Attempt[]): readonly number[] {
  const all = <Value extends number | undefined>(values: readonly Value[]) => values.every((value) => value !== undefined && value >= 0)
  const costs = attempts.map(({ usage }) => usage?.cost)
  const weights = all(costs) ? costs.map(Number) : attempts.map(tokensOf)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => (sum > 0 ? weight / sum : 1 / weights.length))
}

function tokensOf({ usage }: Attempt): number {
  return (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0)
}
