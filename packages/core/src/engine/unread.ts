import type { Answer } from '../answer/answer.ts'
import type { Unchecked } from './report.ts'

/** Whether an answer holds nothing but what no validator can read. */
export function isUnread({ unread, visible, toolCalls }: Answer): boolean {
  return unread !== undefined && !visible && toolCalls.length === 0
}

/** What of an answer no validator has read. */
export function uncheckedParts({ unread }: Answer): Unchecked[] {
  if (unread === undefined) return []
  return [{ validator: 'unread', cause: 'unavailable', message: `the answer holds ${unread}, which no validator reads` }]
}
