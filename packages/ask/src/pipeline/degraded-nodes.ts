import type { NodeName, NodeTrace } from './node-trace.ts'

/** A node that could not do all of its work as it was asked to. */
export interface DegradedNode {
  readonly node: NodeName
  /** A part of the work could not be done, passages did not fit into the prompt, or another way than the wanted one decided on relevance. */
  readonly how: 'degraded' | 'left_out' | 'fallback'
  /** May be in the words of another service. */
  readonly reason?: string
}

/** The nodes of a trace that could not do all of their work as they were asked to, in their order: what every host tells. */
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
