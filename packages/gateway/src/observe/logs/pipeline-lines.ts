import { ownReason } from '../../records/run/own-reason.ts'
import type { RunRecord } from '../../records/run/run-record.ts'

/**
 * Log lines about a pipeline; never a query or a passage, nor messages of a service that may repeat
 * them.
 */
export interface PipelineLine {
  readonly level: 'warn' | 'info'
  readonly fields: { readonly kind: string; readonly reason?: string }
  readonly message: string
}

const none: readonly PipelineLine[] = []

/** One line for everything unusual: a degraded step, and passages that were not relevant. */
export function pipelineLines({ pipeline }: RunRecord): readonly PipelineLine[] {
  if (pipeline === undefined) return none
  return pipeline.flatMap(({ node, degraded, chunks, left_out: leftOut, relevance }): PipelineLine[] => {
    const fallback = relevance?.fallback
    return [
      ...(degraded === undefined
        ? []
        : [{ level: 'warn' as const, fields: { kind: node, ...why(degraded) }, message: degradedLine(node, chunks) }]),
      ...(leftOut === undefined
        ? []
        : [{ level: 'warn' as const, fields: { kind: node }, message: '[ptvl] passages left out — the prompt would be too large' }]),
      ...(fallback === undefined
        ? []
        : [{ level: 'warn' as const, fields: { kind: node, ...why(fallback) }, message: '[ptvl] relevance check fell back' }]),
      ...(relevance?.relevant === false
        ? [{ level: 'info' as const, fields: { kind: node }, message: '[ptvl] context insufficient — reformulating once' }]
        : []),
    ]
  })
}

function why(text: string): { readonly reason?: string } {
  const reason = ownReason(text)
  return reason === undefined ? {} : { reason }
}

function degradedLine(node: string, chunks: readonly unknown[] | undefined): string {
  if (node === 'retrieve') {
    return chunks === undefined || chunks.length === 0
      ? '[ptvl] retriever unavailable — answering without sources'
      : '[ptvl] retriever degraded — answering from one half of the search'
  }
  return node === 'check_context_relevance'
    ? '[ptvl] relevance check failed — treated as relevant'
    : '[ptvl] step degraded — rules decided in its place'
}
