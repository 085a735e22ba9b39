import type { BreakerState } from '@stickler/core/validators'

/** The log line for each change of the circuit to the parser; that of `open` also for every response whose check was skipped. */
export const circuitLines: Readonly<Record<BreakerState, string>> = {
  open: '[ptvl] circuit OPEN — skipping parser, returning unvalidated',
  'half-open': '[ptvl] circuit HALF-OPEN — probing parser availability',
  closed: '[ptvl] circuit CLOSED — parser reachable',
}

/** The log line for every response that is returned without a verdict on its code. */
export const unvalidatedLine = '[ptvl] parser unavailable — returning unvalidated'

/** The log lines for what is unusual in a pipeline. */
export const pipelineLogLines = {
  leftOut: '[ptvl] passages left out — the prompt would be too large',
  relevanceFallback: '[ptvl] relevance check fell back',
  insufficient: '[ptvl] context insufficient — reformulating once',
  noSources: '[ptvl] retriever unavailable — answering without sources',
  halfSearch: '[ptvl] retriever degraded — answering from one half of the search',
  relevanceFailed: '[ptvl] relevance check failed — treated as relevant',
  degraded: '[ptvl] step degraded — rules decided in its place',
} as const
