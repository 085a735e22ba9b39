import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseJson } from '@stickler/core/internal'
import { sql } from 'kysely'
import type { AttemptRecord } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import { NamedSums, type RunSlice } from './run-groups.ts'

/** The cost of one validator: the retries that it caused, and their usage. */
export interface ValidatorCost {
  readonly validator: string
  /** Runs in which it caused a retry. */
  readonly runs: number
  /** Retries that it caused, alone or with others. */
  readonly retries: number
  /** Tokens of those retries; validators that caused one together share it equally. */
  readonly tokens: number
  /** Cost of those retries, shared in the same way. */
  readonly cost: number
}

interface RetriedRow {
  readonly at: number
  readonly id: string
  readonly attempts: string
  readonly cost: number | null
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/** What is read of an attempt. */
export type Attempt = Pick<AttemptRecord, 'number' | 'usage' | 'issues' | 'decision'>

// Attempts may hold long texts.
const pageRows = 50
const mostValidators = 1000

/** Adds up which validators caused retries; the attempts of a run are JSON in one column, so they are parsed here. */
export class RetryCosts {
  readonly #costs = new NamedSums<Pick<ValidatorCost, 'validator'>, Readonly<Record<Exclude<keyof ValidatorCost, 'validator'>, number>>>(
    mostValidators,
  )

  async add({ db }: Engine, { at, end, condition }: RunSlice): Promise<void> {
    for (let place = { at, id: '' }; ; ) {
      const { rows } = await sql<RetriedRow>`
        select at, id, attempts, cost, prompt_tokens, completion_tokens from runs
        where at >= ${place.at} and at < ${end} and (at, id) > (${place.at}, ${place.id}) and attempt_count > 1 and attempts is not null
          and ${condition}
        order by at, id limit ${sql.lit(pageRows)}`.execute(db)
      for (const row of rows) this.#addRun(row)
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageRows) return
      place = last
      // SQLite blocks the event loop, so other work gets a turn.
      await nextTurn()
    }
  }

  /** The most expensive validators first. */
  top(most: number): readonly ValidatorCost[] {
    return this.#costs.top(most, 'cost', 'retries', 'runs')
  }

  #addRun(row: RetriedRow): void {
    const counted = new Set<string>()
    for (const { blamed: issues, tokens, cost } of retriesIn(row, readAttempts(row.attempts))) {
      const blamed = new Set(issues.map(({ validator }) => validator))
      for (const validator of blamed) {
        const part = 1 / blamed.size
        this.#costs.add({ validator }, { runs: counted.has(validator) ? 0 : 1, retries: 1, tokens: tokens * part, cost: cost * part })
        counted.add(validator)
      }
    }
  }
}

/** The usage of a whole run. */
type RunUsage = Pick<RetriedRow, 'cost' | 'prompt_tokens' | 'completion_tokens'>

/** A call after the first. */
interface Retry {
  /** The errors that caused it, each validator and code once. */
  readonly blamed: readonly { readonly validator: string; readonly code: string }[]
  readonly tokens: number
  readonly cost: number
}

/** The calls of a run after the first, with their parts of its usage. */
export function retriesIn(run: RunUsage, attempts: readonly Attempt[]): readonly Retry[] {
  if (attempts.length < 2) return []
  const { tokens, cost } = usageShares(run, attempts)
  return attempts.slice(0, -1).map(({ issues }, index) => {
    const errors = issues.filter(({ severity }) => severity === 'error')
    const blamed = [...new Map(errors.map(({ validator, code }) => [`${validator}\0${code}`, { validator, code }])).values()]
    return { blamed, tokens: tokens[index + 1] ?? 0, cost: cost[index + 1] ?? 0 }
  })
}

/** The part of each attempt in the usage of its run. */
export function usageShares(
  { cost, prompt_tokens, completion_tokens }: RunUsage,
  attempts: readonly Attempt[],
): { readonly tokens: readonly number[]; readonly cost: readonly number[] } {
  const tokens = tokensOf(attempts, prompt_tokens + completion_tokens)
  return { tokens, cost: sharesOf(attempts, tokens).map((share) => (cost ?? 0) * share) }
}

/** Reads the column; an empty list if it was written by hand. */
export function readAttempts(written: string): readonly Attempt[] {
  const attempts = parseJson(written)
  return Array.isArray(attempts) ? attempts.filter((one) => Array.isArray(one?.issues)) : []
}

/** The share of each attempt in the cost of the run: by its own cost, by its tokens, or equal shares. */
function sharesOf(attempts: readonly Attempt[], tokens: readonly number[]): readonly number[] {
  const costs = attempts.map(({ usage }) => usage?.cost)
  const weights = costs.every((cost) => cost !== undefined && cost >= 0) ? costs.map(Number) : tokens
  const sum = sumOf(weights)
  return weights.map((weight) => (sum > 0 ? weight / sum : 1 / weights.length))
}

/** The tokens of each attempt; those without reported usage share the rest of the run's usage, which was estimated. */
function tokensOf(attempts: readonly Attempt[], total: number): readonly number[] {
  const told = attempts.map(({ usage }) => usage && (usage.promptTokens ?? 0) + (usage.completionTokens ?? 0))
  const known = told.filter((tokens) => tokens !== undefined)
  const each = Math.max(0, total - sumOf(known)) / Math.max(1, told.length - known.length)
  return told.map((tokens) => tokens ?? each)
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
