import { RunnerFailure } from '../engine/runner-failure.ts'
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
  if (typeof refusal === 'string') return refusal
  if (!Array.isArray(content)) return ''
  return content.map((part) => (isRecord(part) && typeof part.refusal === 'string' ? part.refusal : '')).join('')
}

/** The word for why the model stopped; nothing when it has not. */
export function readFinishReason(reason: unknown): string | undefined {
  if (reason === 'error') throw new RunnerFailure('protocol', 'the provider ended the answer because of an error')
  return typeof reason === 'string' && reason !== '' ? reason : undefined
}

/** Providers end a refusal like any other answer; the callers of a runner are told. */
export function orRefusal(reason: string | undefined, isRefusal: boolean): string | undefined {
  return isRefusal && (reason === undefined || reason === 'stop') ? 'refusal' : reason
}
