import { contract, type EnforceOptions, enforce, type Outcome, type Prompt, RunnerFailure, type TraceListener } from '@stickler/core'
import { codeIn, validationStatus } from '@stickler/core/internal'
import type { PipelineDefinition } from '@stickler/presets/internal'
import type { GenerationNeeds } from './options.ts'
import type { Prepared } from './prepared.ts'
import type { CodeVerdict } from './state.ts'

/** What a model answered. */
export interface Generated {
  readonly answer: string
  readonly finish_reason: string
}

/** What the engine is given to generate and check the answer to a prepared request. */
export function enforceOptionsFor(
  { contract, prompt, context }: Pick<EnforceOptions, 'contract' | 'prompt' | 'context'>,
  { runner, ports, clock }: Pick<GenerationNeeds, 'runner' | 'ports' | 'clock'>,
  signal: AbortSignal | undefined,
  onEvent: TraceListener,
): EnforceOptions {
  return { contract, runner, prompt, context: context ?? {}, ports, clock, onEvent, ...(signal === undefined ? {} : { signal }) }
}

/**
 * Calls a model once for an answer that another node checks; throws a RunnerFailure when it has
 * none.
 */
export async function generateOnce(prompt: Prompt, needs: GenerationNeeds, signal: AbortSignal | undefined): Promise<Generated> {
  const anything = contract({ checks: [], mode: 'lenient', retries: 0, repair: 'never' })
  const listener = new FinishReason()
  const outcome = await enforce(enforceOptionsFor({ contract: anything, prompt }, needs, signal, listener.hear))
  return { answer: answered(outcome).text, finish_reason: listener.last }
}

/** Stores the last finish reason. */
export class FinishReason {
  last = ''
  readonly hear: TraceListener = (event) => {
    if (event.type === 'attempt-received') this.last = event.finishReason ?? ''
  }
}

/** An outcome with an answer; throws the failure of one without. */
export function answered(outcome: Outcome): Exclude<Outcome, { readonly status: 'failed' }> {
  if (outcome.status !== 'failed') return outcome
  const { kind, message, ...details } = outcome.failure
  throw new RunnerFailure(kind, message, details)
}

/** The verdict on an answer, in the terms that its contract declares. */
export function verdictOf(contract: Prepared['contract'], report: Parameters<typeof validationStatus>[1]): Exclude<CodeVerdict, ''> {
  const words = contract.declared?.validationStatus
  const status = validationStatus(contract, report)
  return status === words?.invalid ? 'INVALID' : status === words?.unchecked ? 'UNAVAILABLE' : 'VALID'
}

/** The code of an answer that is parsed, its blocks one after the other; empty when there is none. */
export function generatedCode(answer: string, { language }: Pick<PipelineDefinition, 'language'>): string {
  return codeIn(answer, language.fence).join('\n')
}
