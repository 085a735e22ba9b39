import type { AuditPipeline } from '@stickler/presets/internal'
import type { Preparation } from '../question/question-parts.ts'
import type { NodeTrace } from '../reply/node-trace.ts'

/** The audit entry of a question's run through the pipeline: no texts. */
export function auditPipeline(
  {
    contextRelevant,
    relevanceScore,
    reformulations,
    type,
  }: Omit<Preparation, 'type' | 'contract' | 'warnings' | 'nodes' | 'usage'> & {
    readonly type: Preparation['type'] | null
  },
  nodes: readonly NodeTrace[] = [],
  validationStatus = '',
): AuditPipeline {
  return {
    context_relevant: contextRelevant,
    nodes: nodes.map(({ node }) => node),
    reformulations,
    relevance_score: relevanceScore ?? null,
    type,
    validation_status: validationStatus,
  }
}
