import type { Needs } from '../options.ts'
import { standalone } from '../reformulation/follow-up.ts'
import { reformulateByModel } from '../reformulation/model.ts'
import type { PipelineState } from '../state.ts'
import { degradedBy, type Step } from '../step.ts'

/** Rewrites the query for search: a follow-up is completed from the previous turns. */
export async function reformulate(
  state: PipelineState,
  needs: Needs,
  signal: AbortSignal | undefined,
): Promise<Step<{ readonly search: string }>> {
  const own = standalone(state.query, state.history)
  if (needs.reformulation === undefined) return { change: { search: own }, detail: { query: own } }
  const { query = own, degraded } = await reformulateByModel('first', state, { ...needs, model: needs.reformulation, signal })
  return { change: { search: query }, detail: { query, ...degradedBy(degraded) } }
}
