import { RunnerFailure } from '@stickler/core'
import { askAnew } from '@stickler/core/internal'
import { type Generated, generateOnce } from '../generation.ts'
import type { GenerationNeeds } from '../options.ts'
import { codePromptOf } from '../prompts.ts'
import type { CodeVerdict, PipelineState } from '../state.ts'
import { degradedBy, type Step } from '../step.ts'

/** Generates code; rejects with a RunnerFailure when the model has no answer. */
export async function generateCode(
  state: PipelineState,
  needs: GenerationNeeds,
  signal: AbortSignal | undefined,
): Promise<Step<Generated & { readonly verdict: '' }>> {
  return { change: { ...(await generateOnce(codePromptOf(state, needs), needs, signal)), verdict: '' } }
}

/** What a retry changes; without a second answer, the first one stays, with its verdict. */
interface Retried extends Generated {
  readonly verdict: CodeVerdict
  readonly retry: 'spent'
}

/** Retries with the parser's trace; this spends the retry. */
export async function generateCodeRetry(
  state: PipelineState<'unspent'>,
  needs: GenerationNeeds,
  signal: AbortSignal | undefined,
): Promise<Step<Retried>> {
  const { answer, finish_reason, verdict } = state
  try {
    const generated = await generateOnce(askAnew(codePromptOf(state, needs), state.parser_feedback), needs, signal)
    return { change: { ...generated, verdict: '', retry: 'spent' } }
  } catch (error) {
    if (!(error instanceof RunnerFailure) || error.kind === 'aborted') throw error
    return { change: { answer, finish_reason, verdict, retry: 'spent' }, detail: degradedBy(error) }
  }
}
