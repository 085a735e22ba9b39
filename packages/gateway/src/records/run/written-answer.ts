import type { AttemptRecord } from './run-record.ts'

/** What is known of the answer of a run. */
interface Answered {
  readonly attempts: readonly Pick<AttemptRecord, 'decision' | 'text' | 'finishReason'>[]
  /** The text after repairs, or the fallback. */
  readonly text?: string | undefined
  /** Whether the text is not what the model wrote. */
  readonly isChanged: boolean
}

/** The answer as the model wrote it. */
export interface WrittenAnswer {
  /** Absent when it is not kept. */
  readonly text?: string
  /** Why the provider ended it. */
  readonly finishReason?: string
}

/** The answer that was delivered, or judged last, before any repair: judged again, it must have the same issues. */
export function writtenAnswer({ attempts, text: last, isChanged }: Answered): WrittenAnswer {
  const attempt =
    attempts.findLast(({ decision }) => decision === 'deliver') ?? attempts.findLast(({ text }) => text !== undefined) ?? attempts.at(-1)
  const text = attempt?.text ?? (isChanged ? undefined : last)
  const finishReason = attempt?.finishReason
  return { ...(typeof text === 'string' ? { text } : {}), ...(typeof finishReason === 'string' ? { finishReason } : {}) }
}
