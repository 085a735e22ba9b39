import { parseJson } from '@stickler/core/internal'
import type { AttemptRecord } from '../../run/run-record.ts'

/** What is read of an attempt. */
export type Attempt = Pick<AttemptRecord, 'number' | 'usage' | 'issues' | 'decision'>

/** The usage of a whole run. */
interface RunUsage {
  readonly cost: number | null
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

/** A call after the first. */
export interface Retry {
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

/** The sum of numbers. */
export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
