import { contract, enforce, type Prompt, type Runner, RunnerFailure } from '@stickler/core'

/** What a model answered. */
export interface Generated {
  readonly answer: string
  readonly finish_reason: string
}

/** Asks a model once; throws a RunnerFailure when it has no answer. */
export type Generate = (prompt: Prompt, signal: AbortSignal | undefined) => Promise<Generated>

/** Asks a model for answers that another node checks. */
export function generatorOf(runner: Runner): Generate {
  const anything = contract({ checks: [], mode: 'lenient', retries: 0, repair: 'never' })
  return async (prompt, signal) => {
    let finishReason = ''
    const outcome = await enforce({
      contract: anything,
      runner,
      prompt,
      ...(signal === undefined ? {} : { signal }),
      onEvent: (event) => {
        if (event.type === 'attempt-received') finishReason = event.finishReason ?? ''
      },
    })
    if (outcome.status !== 'failed') return { answer: outcome.text, finish_reason: finishReason }
    const { kind, message, ...details } = outcome.failure
    throw new RunnerFailure(kind, message, details)
  }
}
