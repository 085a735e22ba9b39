import { type Part, textOf } from './model.ts'
import { isClientCall } from './tool-calls.ts'

/** Parts that have text which is not of the answer. */
const beside: ReadonlySet<string> = new Set(['reasoning', 'reasoning-delta', 'tool-input-delta'])

/** Whether a part holds text or a call in a way in which none is read: programs may show or run it nevertheless. */
export function isUnread(part: Part, texts: 'text' | 'text-delta'): boolean {
  const { type, text, delta } = part
  if (type === texts) return typeof (texts === 'text' ? text : delta) !== 'string'
  if (isClientCall(part)) return typeof part.input !== 'string' || textOf(part, 'toolName') === ''
  return !beside.has(type) && [text, delta].some((one) => one !== undefined)
}
