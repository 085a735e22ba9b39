import type { AttemptReply } from './choice-runner.ts'
import type { Choice } from './job.ts'

/**
 * The reply that the client gets: that of the last attempt, or of an earlier one if the engine went
 * back to it.
 */
export function answeringReply({ runner, log }: Pick<Choice, 'runner' | 'log'>): AttemptReply | undefined {
  return runner.replies[(log.answering ?? runner.replies.length) - 1]
}
