import { type NotKept, notKept } from '@stickler/core/internal'
import type { KeptCall } from './kept-calls.ts'
import type { AttemptRecord, RunRecord } from './run-record.ts'

/** What is known of the answer of a run. */
interface Answered extends Partial<Pick<RunRecord, 'status' | 'context'>> {
  readonly attempts: readonly Pick<AttemptRecord, 'decision' | 'text' | 'finishReason' | 'failure' | 'masked' | 'toolCalls'>[]
  /** The text after repairs, or the fallback. */
  readonly text?: string | undefined
  /** The calls after repairs. */
  readonly toolCalls?: readonly KeptCall[] | undefined
  /** Whether text and calls are not what the model wrote. */
  readonly isChanged: boolean
}

/** The answer as the model wrote it. */
export interface WrittenAnswer {
  /** Absent when it is not kept. */
  readonly text?: string
  /** Why the provider ended it. */
  readonly finishReason?: string
  /** Absent when they are not all kept. */
  readonly toolCalls?: readonly KeptCall[]
  /** Why it cannot be judged again; `error` when there never was an answer. */
  readonly missing?: NotKept | 'error'
}

/** The answer that was delivered, or judged last, before any repair: judged again, it must have the same issues. */
export function writtenAnswer({ attempts, text: last, toolCalls: lastCalls, isChanged, status, context }: Answered): WrittenAnswer {
  const attempt =
    attempts.findLast(({ decision }) => decision === 'deliver') ?? attempts.findLast(({ text }) => text !== undefined) ?? attempts.at(-1)
  const text = attempt?.text ?? (isChanged ? undefined : last)
  // The calls of a run belong to its own text.
  const toolCalls = attempt?.text === undefined && !isChanged ? (attempt?.toolCalls ?? lastCalls) : attempt?.toolCalls
  const isEmpty = (text ?? '') === '' && (toolCalls?.length ?? 0) === 0
  if (attempt?.failure !== undefined || (status === 'failed' && isEmpty)) return { ...(text ? { text } : {}), missing: 'error' }
  const finishReason = attempt?.finishReason
  const missing = notKept({ text, finishReason, toolCalls, masked: attempt?.masked, context })
  return {
    // Without its calls, an answer must not look like an empty one.
    ...(typeof text === 'string' && (text !== '' || missing === undefined) ? { text } : {}),
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
    ...(toolCalls !== undefined && toolCalls.length > 0 && missing === undefined ? { toolCalls } : {}),
    ...(missing === undefined ? {} : { missing }),
  }
}

/** What the contract of a run made of its first answer: one that was asked for again was not good enough. */
export function firstStatus({ status, attempts }: Pick<RunRecord, 'status' | 'attempts'>): RunRecord['status'] {
  return attempts.length <= 1 || status === 'unenforced' ? status : 'unresolved'
}
