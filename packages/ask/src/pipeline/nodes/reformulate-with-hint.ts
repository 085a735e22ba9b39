import type { Needs } from '../options.ts'
import { broadened } from '../reformulation/broaden.ts'
import { reformulateByModel } from '../reformulation/model.ts'
import type { PipelineState } from '../state.ts'
import { degradedBy, type Step } from '../step.ts'

/**
 * Rewrites the query in broader terms, because the retrieved context is not relevant; this spends
 * the retry.
 */
export async function reformulateWithHint(
  state: PipelineState<'unspent'>,
  needs: Needs,
  signal: AbortSignal | undefined,
): Promise<Step<{ readonly search: string; readonly retry: 'spent' }>> {
  const own = broadened(state.search || state.query)
  if (needs.reformulation === undefined) return { change: { search: own, retry: 'spent' }, detail: { query: own } }
  const { query = own, degraded } = await reformulateByModel('hint', state, { ...needs, model: needs.reformulation, signal })
  return { change: { search: query, retry: 'spent' }, detail: { query, ...degradedBy(degraded) } }
}
