import { type Generated, generateOnce } from '../generation.ts'
import type { GenerationNeeds } from '../options.ts'
import { codePromptOf } from '../prompts.ts'
import type { PipelineState } from '../state.ts'
import type { Step } from '../step.ts'

/** Generates code; rejects with a RunnerFailure when the model has no answer. */
export async function generateCode(
  state: PipelineState,
  needs: GenerationNeeds,
  signal: AbortSignal | undefined,
): Promise<Step<Generated & { readonly verdict: '' }>> {
  return { change: { ...(await generateOnce(codePromptOf(state, needs), needs, signal)), verdict: '' } }
}
