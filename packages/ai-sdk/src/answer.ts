import type { ModelEvent, ToolCall } from '@stickler/core'
import { endEvent, unreadText } from '@stickler/core/internal'
import { readFinish } from './finish.ts'
import { type Part, textOf } from './model.ts'
import { isClientCall, readCall } from './tool-calls.ts'
import { tokensOf } from './usage.ts'

/** What of a whole answer is not text. */
interface AnswerEnd {
  readonly provider: string
  readonly hasText: boolean
  /** All parts of the answer. */
  readonly parts: readonly Part[]
  readonly finishReason: unknown
  readonly usage: unknown
  /** Whether the provider reports a refusal, which some clients drop. */
  readonly refused: boolean
  /** Whether a part holds text or a call where none is read. */
  readonly hasUnread: boolean
}

/** The end of an answer as the engine takes it. */
export function endOf({ provider, hasText, parts, finishReason, usage, refused, hasUnread }: AnswerEnd): ModelEvent {
  const toolCalls: readonly ToolCall[] = parts.filter(isClientCall).map(readCall)
  const finish: ReturnType<typeof readFinish> = refused ? { finishReason: 'refusal' } : readFinish(finishReason, provider)
  // Between two turns the provider runs its tools, or waits until one is approved: that is not an empty answer.
  const isPaused = !hasText && toolCalls.length === 0 && finish.finishMissing === undefined && parts.some(isProviders)
  const unread = hasUnread ? unreadText : parts.some(isAudio) ? 'audio' : undefined
  return endEvent({
    ...finish,
    ...(isPaused && { finishReason: 'pause_turn' }),
    usage: tokensOf(usage),
    toolCalls,
    message: { parts },
    unread,
  })
}

function isProviders({ type, providerExecuted }: Part): boolean {
  return type === 'tool-approval-request' || (type === 'tool-call' && providerExecuted === true)
}

function isAudio(part: Part): boolean {
  return part.type === 'file' && textOf(part, 'mediaType').startsWith('audio/')
}
