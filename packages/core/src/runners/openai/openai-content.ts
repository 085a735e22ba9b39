import { finishKindOf } from '../../answer/finish-reason.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import type { Ending } from '../end-event.ts'

/** How an answer ended, by the provider's word and whether it is a refusal; an error of the provider is not an answer. */
export function endOf(reason: string | undefined, isRefusal: boolean, always: boolean): Pick<Ending, 'finishReason' | 'finishMissing'> {
  const kind = reason === undefined ? undefined : finishKindOf(reason)
  if (kind === 'error') throw new RunnerFailure('protocol', 'the provider ended the answer because of an error')
  // Providers end a refusal like any other answer; callers of a runner are informed.
  if (isRefusal && (reason === undefined || kind === 'complete')) return { finishReason: 'refusal' }
  return reason === undefined ? { finishMissing: always ? 'unexpected' : 'usual' } : { finishReason: reason }
}
