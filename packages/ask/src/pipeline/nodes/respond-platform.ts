import type { GenerationNeeds } from '../options.ts'
import type { PipelineState } from '../state.ts'
import type { Step } from '../step.ts'
import { type Answered, generate } from './generate.ts'

/** Answers questions about the platform: nothing is retrieved or validated. */
export async function respondPlatform(
  state: PipelineState,
  needs: GenerationNeeds,
  signal: AbortSignal | undefined,
): Promise<Step<Answered>> {
  return await generate({ ...state, type: 'PLATFORM' }, needs, signal)
}
