import type { GenerationNeeds } from '../options.ts'
import type { PipelineState } from '../state.ts'
import type { Step } from '../step.ts'
import { type Answered, generate } from './generate.ts'

/** Answers talk: there is nothing to look up and nothing to validate. */
export async function respondConversational(
  state: PipelineState,
  needs: GenerationNeeds,
  signal: AbortSignal | undefined,
): Promise<Step<Answered>> {
  return await generate({ ...state, type: 'CONVERSATIONAL' }, needs, signal)
}
