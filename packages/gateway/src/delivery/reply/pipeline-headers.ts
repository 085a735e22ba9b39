import type { PipelineVerdict } from '@stickler/core/internal'

/** The headers that report a pipeline's results. */
export function pipelineHeaders({ type, contextRelevant, degraded }: PipelineVerdict): Readonly<Record<string, string>> {
  return {
    ...(type === undefined ? {} : { 'x-stickler-query-type': type }),
    ...(contextRelevant === undefined ? {} : { 'x-stickler-context-relevant': String(contextRelevant) }),
    ...(degraded === undefined ? {} : { 'x-stickler-degraded': degraded }),
  }
}
