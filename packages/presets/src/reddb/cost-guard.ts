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

const names: readonly string[] = [...Object.keys(defaultCostLimits), 'dailyCostUsd']

/** Completes limits with the defaults; throws a ConfigurationError that names every invalid one. */
export function readCostLimits(limits: Partial<CostLimits>, path: readonly string[] = []): CostLimits {
  const problems = Object.entries(limits).flatMap(([name, value]): ConfigurationProblem[] => {
    if (!names.includes(name)) return [{ path: [...path, name], message: unknownName('cost limit', name, names) }]
    return value >= 0 ? [] : [{ path: [...path, name], message: 'expected a number, 0 or more' }]
  })
  if (problems.length > 0) throw new ConfigurationError(problems)
  return { ...defaultCostLimits, ...limits }
}

/** What a question has used so far, or is about to use. */
export interface CostUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly sourcesBytes: number
  readonly elapsedMs: number
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

/** That a limit is exceeded, and by what. */
export interface Breach {
  readonly limit: CostLimitName
  readonly status: 413 | 504
  readonly detail: string
}

/** The first limit in a fixed order that usage exceeds, if any. */
export function guardCost({ promptTokens, sourcesBytes, completionTokens, elapsedMs }: CostUsage, limits: CostLimits): Breach | undefined {
  if (exceeds(promptTokens, limits.promptTokens))
    return breach('max_prompt_tokens', `prompt ${promptTokens} tokens exceeds max_prompt_tokens=${limits.promptTokens}`)
  if (exceeds(sourcesBytes, limits.sourcesBytes))
    return breach('max_sources_bytes', `sources payload ${sourcesBytes} bytes exceeds max_sources_bytes=${limits.sourcesBytes}`)
  if (exceeds(completionTokens, limits.completionTokens))
    return breach('max_completion_tokens', `completion ${completionTokens} tokens exceeds max_completion_tokens=${limits.completionTokens}`)
  return exceeds(elapsedMs, limits.timeMs) ? lateBreach(limits, elapsedMs) : undefined
}

/** The breach of a question whose time is up. */
export function lateBreach({ timeMs }: CostLimits, elapsedMs: number): Breach {
  return breach('timeout_ms', `elapsed ${Math.max(timeMs + 1, elapsedMs)}ms exceeds timeout_ms=${timeMs}`)
}

/** The breach of a call that does not fit into what is left of the day's cap. */
export function capBreach(projectedUsd: number, capUsd: number): Breach {
  return breach('daily_cost_cap_usd', `projected spend ${dollars(projectedUsd)} exceeds daily_cost_cap_usd=${dollars(capUsd)}`)
}

/** NaN must not slip through, so the test is whether the value is within the limit. */
function exceeds(value: number, limit: number): boolean {
  return !(value <= limit)
}

function dollars(usd: number): string {
  return `$${usd.toFixed(6)}`
}

function breach(limit: CostLimitName, detail: string): Breach {
  return { limit, status: limit === 'timeout_ms' ? 504 : 413, detail }
}
