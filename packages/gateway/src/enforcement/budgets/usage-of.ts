import type { Usage } from '@stickler/core'
import { addUsage } from '../../upstreams/usage.ts'
import type { AttemptReply } from '../choice-runner.ts'
import type { Choice } from '../job.ts'
import { noUsage } from '../run-log.ts'

/** The usage of a choice: as reported, and an estimate for calls without a report. */
export function usageOf({ runner }: Choice): Usage {
  return sumOf(runner.before.length === 0 ? runner.replies : [...runner.before, ...runner.replies])
}

/** The same for the client: undefined for a complete answer without reported usage. */
export function toldUsageOf({ runner }: Choice): Usage {
  const told = runner.replies.filter(({ end, call }) => end === undefined || call.head().usage !== undefined)
  return sumOf(runner.before.length === 0 ? told : [...runner.before, ...told])
}

/** The usage of calls, reported or estimated. */
export function sumOf(replies: readonly AttemptReply[]): Usage {
  const [only] = replies
  if (replies.length === 1 && only !== undefined) return only.bill.shareOf(only)
  return replies.reduce<Usage>((sum, reply) => addUsage(sum, reply.bill.shareOf(reply)) ?? sum, noUsage)
}
