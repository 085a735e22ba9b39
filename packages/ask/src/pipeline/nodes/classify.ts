import { classifyByModel } from '../classification/model.ts'
import { classifyByRules, isPlatformPrompt } from '../classification/rules.ts'
import type { Needs } from '../options.ts'
import type { QueryType } from '../query-type.ts'
import type { PipelineState } from '../state.ts'
import type { NodeDetail, Step } from '../step.ts'

/**
 * Decides the type of a request: as given, by the platform's fast path, by a model, or by rules.
 */
export async function classify(
  state: PipelineState,
  needs: Needs,
  signal: AbortSignal | undefined,
): Promise<Step<{ readonly type: QueryType }>> {
  const { type, by, degraded } = await decided(state, needs, signal)
  return { change: { type }, detail: { type: { is: type, by }, ...(degraded === undefined ? {} : { degraded }) } }
}

interface Decided {
  readonly type: QueryType
  readonly by: NonNullable<NodeDetail['type']>['by']
  readonly degraded?: string
}

async function decided(state: PipelineState, needs: Needs, signal: AbortSignal | undefined): Promise<Decided> {
  if (state.type !== '') return { type: state.type, by: 'request' }
  if (isPlatformPrompt(state, needs.pipeline)) return { type: 'PLATFORM', by: 'rule' }
  const rules = classifyByRules(state.query, needs.pipeline)
  // The platform's signals come before any model.
  if (needs.classifier === undefined || rules.type === 'PLATFORM') return rules
  const model = await classifyByModel(state, needs.classifier, needs, signal)
  return 'type' in model ? { ...model, by: 'model' } : { ...rules, degraded: model.failure }
}
