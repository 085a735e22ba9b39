import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import { unknownName } from '@stickler/core/internal'

/** What one question may use; a value at its limit is allowed. */
export interface CostLimits {
  readonly promptTokens: number
  readonly completionTokens: number
  /** Number of sources. */
  readonly sources: number
  /** Bytes of the payload of one source. */
  readonly sourceBytes: number
  /** Bytes of all payloads together. */
  readonly sourcesBytes: number
  readonly timeMs: number
  /** Dollars per UTC day; no cap when absent. */
  readonly dailyCostUsd?: number
}

/** The default limits. */
export const defaultCostLimits: CostLimits = {
  promptTokens: 8192,
  completionTokens: 1024,
  sources: 1000,
  sourceBytes: 262_144,
  sourcesBytes: 262_144,
  timeMs: 30_000,
}

const wholeNumbers = ['promptTokens', 'completionTokens', 'sources', 'sourceBytes', 'sourcesBytes', 'timeMs'] as const
const names: readonly string[] = [...wholeNumbers, 'dailyCostUsd']
const dayMs = 86_400_000

/**
 * Completes configured limits with the defaults; throws a ConfigurationError that names every
 * invalid one.
 */
export function readCostLimits(
  limits: { readonly [Name in keyof CostLimits]?: CostLimits[Name] | undefined },
  path: readonly (string | number)[] = [],
): CostLimits {
  const problems = Object.entries(limits).flatMap(([name, value]) => problemOf(name, value, path))
  if (problems.length > 0) throw new ConfigurationError(problems)
  const whole = (name: (typeof wholeNumbers)[number]): number => limits[name] ?? defaultCostLimits[name]
  return {
    promptTokens: whole('promptTokens'),
    completionTokens: whole('completionTokens'),
    sources: whole('sources'),
    sourceBytes: whole('sourceBytes'),
    sourcesBytes: whole('sourcesBytes'),
    timeMs: whole('timeMs'),
    ...(limits.dailyCostUsd === undefined ? {} : { dailyCostUsd: limits.dailyCostUsd }),
  }
}

/** What a question has used so far, or is about to use. */
export interface CostUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly sourcesBytes: number
  readonly elapsedMs: number
  /** Dollars that come on top of what the day has spent already. */
  readonly costUsd?: number | undefined
}

/** The limits by their names on the wire. */
export type CostLimitName =
  | 'max_prompt_tokens'
  | 'max_completion_tokens'
  | 'max_sources'
  | 'max_source_bytes'
  | 'max_sources_bytes'
  | 'timeout_ms'
  | 'daily_cost_cap_usd'

/** Whether a question may continue, and if not, why. */
export type CostVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly limit: CostLimitName; readonly status: 413 | 504; readonly detail: string }

/** Compares usage with limits in a fixed order and reports the first that is exceeded. */
export function guardCost(usage: CostUsage, day: DaySpend, limits: CostLimits, nowMs: number): CostVerdict {
  const { promptTokens, sourcesBytes, completionTokens, elapsedMs } = usage
  if (exceeds(promptTokens, limits.promptTokens)) {
    return refused('max_prompt_tokens', `prompt ${promptTokens} tokens exceeds max_prompt_tokens=${limits.promptTokens}`)
  }
  if (exceeds(sourcesBytes, limits.sourcesBytes)) {
    return refused('max_sources_bytes', `sources payload ${sourcesBytes} bytes exceeds max_sources_bytes=${limits.sourcesBytes}`)
  }
  if (exceeds(completionTokens, limits.completionTokens)) {
    return refused(
      'max_completion_tokens',
      `completion ${completionTokens} tokens exceeds max_completion_tokens=${limits.completionTokens}`,
    )
  }
  if (exceeds(elapsedMs, limits.timeMs)) {
    return refused('timeout_ms', `elapsed ${elapsedMs}ms exceeds timeout_ms=${limits.timeMs}`)
  }
  const { dailyCostUsd: cap = 0 } = limits
  if (!isAboveCap(day, usage.costUsd, limits.dailyCostUsd, nowMs)) return { allowed: true }
  const { spentUsd } = addSpend(day, usage.costUsd, nowMs)
  return refused('daily_cost_cap_usd', `projected spend ${dollars(spentUsd)} exceeds daily_cost_cap_usd=${dollars(cap)}`)
}

/** Whether a cost on top of what the day has spent is above the cap. */
export function isAboveCap(day: DaySpend, costUsd: number | undefined, capUsd: number | undefined, nowMs: number): boolean {
  return capUsd !== undefined && exceeds(nanoDollars(addSpend(day, costUsd, nowMs).spentUsd), nanoDollars(capUsd))
}

/** A verdict that a limit is exceeded. */
export type Breach = Extract<CostVerdict, { allowed: false }>

/** The verdict on a question whose time is up. */
export function lateVerdict(limits: CostLimits, elapsedMs: number): Breach {
  const late = { promptTokens: 0, completionTokens: 0, sourcesBytes: 0, elapsedMs: Math.max(limits.timeMs + 1, elapsedMs) }
  return guardCost(late, freshDay(0), limits, 0) as Breach
}

/** What has been spent on a UTC day, which is a number of days since 1970. */
export interface DaySpend {
  readonly spentUsd: number
  readonly day: number
}

/** A day on which nothing has been spent yet. */
export function freshDay(nowMs: number): DaySpend {
  return { spentUsd: 0, day: Math.floor(nowMs / dayMs) }
}

/**
 * Adds a cost to the day; a later day counts from zero, and a clock that goes back never resets.
 */
export function addSpend(day: DaySpend, costUsd: number | undefined, nowMs: number): DaySpend {
  const today = freshDay(nowMs)
  const current = today.day > day.day ? today : day
  return { spentUsd: current.spentUsd + realCost(costUsd), day: current.day }
}

function problemOf(name: string, value: unknown, path: readonly (string | number)[]): ConfigurationProblem[] {
  if (!names.includes(name)) return [{ path: [...path, name], message: unknownName('cost limit', name, names) }]
  if (value === undefined) return []
  const isMoney = name === 'dailyCostUsd'
  const possible = typeof value === 'number' && value >= 0 && (isMoney ? Number.isFinite(value) : Number.isSafeInteger(value))
  if (possible) return []
  const expected = isMoney ? 'a finite number of dollars, 0 or more' : 'a whole number, 0 or more'
  return [{ path: [...path, name], message: `expected ${expected}, got ${typeof value === 'number' ? value : typeof value}` }]
}

/** NaN must not slip through, so the test is whether the value is within the limit. */
function exceeds(value: number, limit: number): boolean {
  return !(value <= limit)
}

/** Sums of decimal prices carry binary noise: three times 0.1 is at a limit of 0.3, not above it. */
function nanoDollars(usd: number): number {
  return Math.round(usd * 1e9)
}

function dollars(usd: number): string {
  return `$${usd.toFixed(6)}`
}

function refused(limit: CostLimitName, detail: string): CostVerdict {
  return { allowed: false, limit, status: limit === 'timeout_ms' ? 504 : 413, detail }
}

/** A cost that is absent, negative or not a number counts as 0. */
function realCost(costUsd: number | undefined): number {
  return costUsd !== undefined && costUsd > 0 ? costUsd : 0
}
