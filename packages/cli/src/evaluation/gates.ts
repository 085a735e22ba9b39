import type { Comparison } from './comparison.ts'
import { newFailures } from './comparison.ts'
import type { Summary } from './summary.ts'

/** What must hold for an evaluation to pass. */
export interface Gates {
  /** The least share of answers that keep the contract, repaired ones included. */
  readonly minValid?: number | undefined
  /** The most answers that could not be checked. */
  readonly maxUnchecked?: number | undefined
  /** The most answers that fail and are not known to have failed. */
  readonly maxNewFailures?: number | undefined
}

/** Whether a gate is passed. */
export interface GateResult {
  readonly gate: 'min-valid' | 'max-unchecked' | 'max-new-failures'
  readonly limit: number
  /** What was observed; absent when there was nothing to observe. */
  readonly observed?: number
  readonly passed: boolean
}

/** Judges an evaluation by its gates; without answers every gate fails. */
export function judgeGates(gates: Gates, summary: Summary, comparison: Comparison | undefined): readonly GateResult[] {
  const { answers, passed, statuses } = summary
  const results: GateResult[] = []
  const add = (gate: GateResult['gate'], limit: number | undefined, observed: number | undefined, isPassed: (seen: number) => boolean) => {
    if (limit === undefined) return
    const seen = answers === 0 ? undefined : observed
    results.push({ gate, limit, ...(seen === undefined ? {} : { observed: seen }), passed: seen !== undefined && isPassed(seen) })
  }
  const { minValid, maxUnchecked, maxNewFailures } = gates
  add('min-valid', minValid, passed / answers, (share) => share >= (minValid ?? 0))
  add('max-unchecked', maxUnchecked, statuses.unchecked, (count) => count <= (maxUnchecked ?? 0))
  const failures = comparison === undefined ? undefined : newFailures(comparison)
  add('max-new-failures', maxNewFailures, failures, (count) => count <= (maxNewFailures ?? 0))
  return results
}
