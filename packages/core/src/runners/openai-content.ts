import { finishKindOf } from '../answer/finish-reason.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'
import type { Ending } from './end-event.ts'
import { isRecord } from './json.ts'

/** The text of `content`, which is a string, a list of parts, or null. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(partText).join('')
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  return isRecord(part) && typeof part.text === 'string' ? part.text : ''
}

/** The text of a refusal, which stands beside the content or among its parts. */
export function refusalText({ content, refusal }: Record<string, unknown>): string {
  if (typeof refusal === 'string' && refusal !== '') return refusal
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.refusal === 'string' ? part.refusal : '')).join('')
}

/** What a message holds that no validator can read: audio, whose transcript is not the text of the answer. */
export function unreadOf({ audio, content }: Readonly<Record<string, unknown>>): string | undefined {
  const isSpoken = isRecord(audio) || (Array.isArray(content) && content.some((part) => isRecord(part) && isAudioPart(part)))
  return isSpoken ? 'audio' : undefined
}

function isAudioPart({ type, audio }: Record<string, unknown>): boolean {
  return isRecord(audio) || (typeof type === 'string' && type.endsWith('audio'))
}

/** How an answer ended, by the provider's word and whether it is a refusal; an error of the provider is not an answer. */
export function endOf(reason: string | undefined, isRefusal: boolean, always: boolean): Pick<Ending, 'finishReason' | 'finishMissing'> {
  const kind = reason === undefined ? undefined : finishKindOf(reason)
  if (kind === 'error') throw new RunnerFailure('protocol', 'the provider ended the answer because of an error')
  // Providers end a refusal like any other answer; the callers of a runner are told.
  if (isRefusal && (reason === undefined || kind === 'complete')) return { finishReason: 'refusal' }
  return reason === undefined ? { finishMissing: always ? 'unexpected' : 'usual' } : { finishReason: reason }
}
