import type { Capabilities } from '../providers/capabilities.ts'

/** The knobs that make an answer repeatable, as a request sets them. */
export interface DeterminismOverrides {
  readonly temperature?: number | undefined
  readonly seed?: bigint | undefined
}

/** The parameters that are sent; absent ones are omitted. */
export interface Determinism {
  readonly temperature: number | undefined
  readonly seed: bigint | undefined
}

/**
 * Chooses the parameters of a call: the override, else the default, and none that the provider does
 * not support.
 */
export function decideDeterminism(
  overrides: DeterminismOverrides,
  capabilities: Pick<Capabilities, 'seed' | 'temperature'>,
  defaults: DeterminismOverrides,
): Determinism {
  return {
    temperature: capabilities.temperature ? (overrides.temperature ?? defaults.temperature ?? 0) : undefined,
    seed: capabilities.seed ? (overrides.seed ?? defaults.seed) : undefined,
  }
}
