import { contentText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { JsonEdit } from '../../json/edit-json.ts'
import { ownEdits } from '../shared/forged-verdicts.ts'
import { otherCopies } from '../shared/message-copies.ts'
import { protocolFailure } from '../shared/provider-error.ts'

/** Throws if choices are not a list, or if a choice has two contradicting contents that clients could take. */
export function needOnlyJudged({ choices }: Fields, holder: 'delta' | 'message'): void {
  if (!Array.isArray(choices) && isFields(choices)) throw protocolFailure('the choices are not a list')
  for (const choice of Array.isArray(choices) ? choices : []) if (isFields(choice)) needJudgedChoice(choice, holder)
}

function needJudgedChoice(choice: Fields, holder: 'delta' | 'message'): void {
  const said = isFields(choice[holder]) ? choice[holder] : isFields(choice.message) ? choice.message : {}
  // Some providers repeat the text beside the delta; if it differs from the checked text, it is another answer.
  if (typeof choice.text === 'string' && choice.text !== '' && choice.text !== contentText(said.content))
    throw protocolFailure('a choice has a text that is not the content of its message')
  if (holder === 'message' && saysSomething(choice.delta)) throw protocolFailure('a choice has a delta beside its message')
}

/** Whether a message has content, a refusal or calls. */
export function saysSomething(message: unknown): boolean {
  if (!isFields(message)) return false
  return ['content', 'refusal', 'audio', 'parsed', 'tool_calls', 'function_call'].some((name) => {
    const value = message[name] ?? ''
    return value !== '' && !(Array.isArray(value) && value.length === 0)
  })
}

/** Throws if one entry has both a call of a function and one of another type: clients execute either. */
export function needSingleCalls({ tool_calls: calls }: Fields): void {
  for (const call of Array.isArray(calls) ? calls : []) {
    if (isFields(call) && isFields(call.custom) && isFields(call.function) && (call.function.name ?? '') !== '')
      throw protocolFailure('a tool call is both a call of a function and a custom one')
  }
}

/** Removes members that say something other than the content of their message, which nobody has checked. */
export function addCopyEdits(edits: JsonEdit[], choices: readonly unknown[], holder: 'delta' | 'message'): void {
  for (let at = 0; at < choices.length; at++) {
    const choice = choices[at]
    if (!isFields(choice)) continue
    const own = isFields(choice[holder]) ? holder : 'message'
    const message = choice[own]
    if (isFields(message)) for (const name of otherCopies(message)) edits.push({ path: ['choices', at, own, name], json: undefined })
  }
}

/** Removes `event`, which some clients execute, from a chunk or a completion, its choices and their messages; also verdicts that only a gateway may set. */
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
