import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { JsonEdit } from '../../json/edit-json.ts'
import { ownEdits } from '../shared/without-own.ts'

/** Removes `event` from a chunk or a completion, its choices and their messages, because some clients execute it, and verdicts that only a gateway may set. */
export function eventEdits(reply: Fields): JsonEdit[] {
  const edits: JsonEdit[] = 'event' in reply ? [{ path: ['event'], json: undefined }] : []
  edits.push(...ownEdits(reply, []))
  const choices: readonly unknown[] = Array.isArray(reply.choices) ? reply.choices : []
  for (const [at, choice] of choices.entries()) {
    if (!isFields(choice)) continue
    if ('event' in choice) edits.push({ path: ['choices', at, 'event'], json: undefined })
    for (const holder of ['delta', 'message']) {
      const message = choice[holder]
      if (isFields(message) && 'event' in message) edits.push({ path: ['choices', at, holder, 'event'], json: undefined })
    }
  }
  return edits
}
