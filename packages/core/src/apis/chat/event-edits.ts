import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { JsonEdit } from '../../json/edit-json.ts'
import { ownEdits } from '../shared/without-own.ts'

/** Removes `event` from a chunk or a completion, its choices and their messages, because some clients execute it, and verdicts that only a gateway may set. */
export function eventEdits(reply: Fields): JsonEdit[] {
  const edits = ownEdits(reply)
  if ('event' in reply) edits.push({ path: ['event'], json: undefined })
  const choices: readonly unknown[] = Array.isArray(reply.choices) ? reply.choices : []
  for (let at = 0; at < choices.length; at++) {
    const choice = choices[at]
    if (!isFields(choice)) continue
    const { delta, message } = choice
    if ('event' in choice) edits.push({ path: ['choices', at, 'event'], json: undefined })
    if (isFields(delta) && 'event' in delta) edits.push({ path: ['choices', at, 'delta', 'event'], json: undefined })
    if (isFields(message) && 'event' in message) edits.push({ path: ['choices', at, 'message', 'event'], json: undefined })
  }
  return edits
}
