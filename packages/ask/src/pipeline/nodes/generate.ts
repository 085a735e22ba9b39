import { enforce } from '@stickler/core'
import { answered, enforceOptionsFor, FinishReason, type Generated } from '../generation.ts'
import type { GenerationNeeds } from '../options.ts'
import { preparedOf } from '../prepared.ts'
import type { PipelineState, RetryBudget } from '../state.ts'
import type { Step } from '../step.ts'

/** What a checked answer changes. */
interface Answered extends Generated {
  readonly validation_status: string
  readonly retry: RetryBudget
}

/** Answers from the retrieved context; wrong citations are retried while a retry is left. */
export async function generate(state: PipelineState, needs: GenerationNeeds, signal: AbortSignal | undefined): Promise<Step<Answered>> {
  const finish = new FinishReason()
  const prepared = preparedOf(state, needs)
  const outcome = answered(await enforce(enforceOptionsFor(prepared, needs, signal, finish.hear)))
  const { text, attempts, validationStatus = '' } = outcome
  if (validationStatus === prepared.contract.declared?.validationStatus?.unchecked) needs.onUnvalidated()
  return {
    change: {
      answer: text,
      finish_reason: finish.last,
      validation_status: validationStatus,
      retry: attempts > 1 ? 'spent' : state.retry,
    },
    detail: { attempts },
  }
}

/** Answers requests of a type for which nothing is retrieved or validated. */
export function respond(type: 'CONVERSATIONAL' | 'PLATFORM'): typeof generate {
  return (state, needs, signal) => generate({ ...state, type }, needs, signal)
}
