import type { GenerationNeeds } from '../options.ts'
import type { PipelineState } from '../state.ts'
import type { Step } from '../step.ts'
import { type Answered, generate } from './generate.ts'

/** Answers small talk: nothing is retrieved or validated. */
export async function respondConversational(
  state: PipelineState,
  needs: GenerationNeeds,
  signal: AbortSignal | undefined,
): Promise<Step<Answered>> {
  return await generate({ ...state, type: 'CONVERSATIONAL' }, needs, signal)
}
