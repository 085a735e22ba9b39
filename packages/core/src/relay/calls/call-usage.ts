import type { Usage } from '../../engine/runner.ts'

/** Adds the usage of several calls. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const cost = a.cost === undefined && b.cost === undefined ? {} : { cost: (a.cost ?? 0) + (b.cost ?? 0) }
  const estimated = a.estimated || b.estimated ? { estimated: true as const } : {}
  return { promptTokens: a.promptTokens + b.promptTokens, completionTokens: a.completionTokens + b.completionTokens, ...cost, ...estimated }
}

/** A number of tokens or of money; undefined for any other value. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
