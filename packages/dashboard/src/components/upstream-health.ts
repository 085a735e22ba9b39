import type { Status, UpstreamState } from '../api/types.ts'

/** Fewer calls say little about an upstream. */
const fewestCalls = 3

/** How an upstream fares, as a word and the tone of its tag: a closed circuit alone does not make it healthy. */
export function upstreamHealth({ breaker, calls, errors }: Pick<UpstreamState, 'breaker' | 'calls' | 'errors'>): {
  readonly tone: Status | ''
  readonly children: string
} {
  if (breaker === 'open') return { tone: 'unresolved', children: 'circuit open' }
  if (breaker === 'half-open') return { tone: 'unchecked', children: 'trying again' }
  if (calls >= fewestCalls && errors * 2 >= calls) return { tone: 'failed', children: 'failing' }
  if (calls > 0 && errors * 10 <= calls) return { tone: 'valid', children: 'healthy' }
  return { tone: '', children: `circuit ${breaker}` }
}
