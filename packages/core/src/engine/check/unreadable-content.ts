import type { Answer } from '../../answer/answer.ts'
import type { Unchecked } from './report.ts'

/** Whether an answer holds nothing but what no validator can read. */
export function isUnread(answer: Answer): boolean {
  // Whether something is visible is not asked unless it matters: for that, all of the text is read.
  return answer.unread !== undefined && answer.toolCalls.length === 0 && !answer.visible
}

/** The unread content of an answer that is only a refusal. */
export const refusal = 'a refusal'

/** The unread content of an answer that holds text or calls where none are read, or something else where they are. */
export const unreadText = 'text or calls outside of what is read'

/** The kind of an answer that cannot be judged; undefined for all others, and where clients may show or execute what was not judged. */
export function unreadKind(answer: Answer): 'refusal' | 'unread' | undefined {
  if (!isUnread(answer) || answer.unread === unreadText) return undefined
  return answer.unread === refusal ? 'refusal' : 'unread'
}

/** Replaces the name of a validator where there is none. */
export const unreadName = 'unread'

/** What of an answer no validator has read. */
export function uncheckedParts({ unread }: Answer): Unchecked[] {
  if (unread === undefined) return []
  return [{ validator: unreadName, cause: 'unavailable', message: `the answer holds ${unread}, which no validator reads` }]
}
