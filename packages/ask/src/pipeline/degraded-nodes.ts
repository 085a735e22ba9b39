import type { NodeName, NodeTrace } from '../reply/node-trace.ts'

/** A degraded node. */
interface DegradedNode {
  readonly node: NodeName
  /**
   * Part of the work failed, passages did not fit into the prompt, or a fallback decided on
   * relevance.
   */
  readonly how: 'degraded' | 'left_out' | 'fallback'
  /** May be a message of another service. */
  readonly reason?: string
}

/** The degraded nodes of a trace, in order: what every host reports. */
export function degradedNodes(trace: readonly NodeTrace[]): readonly DegradedNode[] {
  return trace.flatMap(({ node, degraded, left_out: leftOut, relevance }): DegradedNode[] => {
    const fallback = relevance?.fallback
    return [
      ...(degraded === undefined ? [] : [{ node, how: 'degraded', reason: degraded } as const]),
      ...(leftOut === undefined ? [] : [{ node, how: 'left_out' } as const]),
      ...(fallback === undefined ? [] : [{ node, how: 'fallback', reason: fallback } as const]),
    ]
  })
}
