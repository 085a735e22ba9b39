import type { Outcome, Usage } from '@stickler/core'
import type { Choice } from './job.ts'

/** What a choice has used: what the provider told, and an estimate of calls that were stopped before it could. */
export function usageOf({ runner, index }: Choice, { usage }: Pick<Outcome, 'usage'>): Usage {
  let { promptTokens, completionTokens } = usage
  let isTold = true
  runner.replies.forEach(({ end, asked, received }, attempt) => {
    // A call that brought nothing was refused, and is not paid for; the first one is shared, and is paid once.
    if (end !== undefined || received === 0) return
    isTold = false
    if (attempt > 0 || index === 0) promptTokens += Math.ceil(asked / 4)
    completionTokens += Math.ceil(received / 4)
  })
  return isTold ? usage : { ...usage, promptTokens, completionTokens }
}
