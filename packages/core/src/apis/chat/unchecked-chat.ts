import { contentText, refusalText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { unreadText } from '../../engine/check/unreadable-content.ts'
import { areLogprobsOf } from '../reply/tokens.ts'
import type { ChoiceEnd } from '../shared/choice-event.ts'
import { isNothing, isOther, isParsedFrom, saysIn, textsIn } from '../shared/unchecked-values.ts'
import { needSingleCalls } from './chat-conflicts.ts'

/** Members with the texts of other APIs; beside the choices nothing is checked. */
const beside = ['content', 'message', 'delta', 'text', 'response', 'item', 'part', 'output', 'output_text']

/** Whether a chunk or a completion has text or calls where none are checked, or other values where they are. */
export function hasUnread(reply: Fields): boolean {
  const { choices } = reply
  if (saysIn(reply, beside)) return true
  if (isNothing(choices)) return false
  return !Array.isArray(choices) || !choices.every((choice) => isFields(choice) && isReadChoice(choice))
}

/** Whether a chunk has a refusal, which is shown only if there is no other content. */
export function refuses({ choices }: Fields): boolean {
  return Array.isArray(choices) && choices.some((choice) => isFields(choice) && isFields(choice.delta) && refusalText(choice.delta) !== '')
}

/** The end of a choice under a contract: a refusal beside an answer, and log probabilities of other words, were not checked. */
export function judgedEnd(end: ChoiceEnd, hasUnread: boolean): ChoiceEnd {
  const { message, fields, unread } = end
  needSingleCalls(message)
  const isJudged = !hasUnread && (unread !== undefined || refusalText(message) === '') && hasOwnTokens(fields.logprobs, message)
  return isJudged ? end : { ...end, unread: unreadText }
}

function isReadChoice({ text, delta, message, logprobs }: Fields): boolean {
  return !isOther(text) && isReadMessage(delta, false) && isReadMessage(message, true) && (isNothing(logprobs) || isFields(logprobs))
}

function isReadMessage(message: unknown, isWhole: boolean): boolean {
  if (!isFields(message)) return isNothing(message)
  const { content, refusal, audio, tool_calls: calls, function_call: call, parsed, reasoning_content: thoughts } = message
  return (
    !isOther(refusal) &&
    !isOther(thoughts) &&
    (typeof content === 'string' || isReadContent(content)) &&
    (isNothing(audio) || isFields(audio)) &&
    (isNothing(call) || isReadCall(call, 'arguments', isWhole)) &&
    (isNothing(calls) || (Array.isArray(calls) && calls.every((entry) => isReadEntry(entry, isWhole)))) &&
    isParsedFrom(parsed, contentText(content))
  )
}

function isReadContent(content: unknown): boolean {
  return isNothing(content) || (Array.isArray(content) && content.every(isReadPart))
}

/** Parts of unknown types are passed on; a text must be a string. */
function isReadPart(part: unknown): boolean {
  if (!isFields(part) || isOther(part.refusal)) return false
  const { type, text } = part
  return typeof text === 'string' || ((text ?? null) === null && type !== 'text' && type !== 'output_text')
}

function isReadEntry(entry: unknown, isWhole: boolean): boolean {
  if (!isFields(entry)) return false
  const { function: called, custom, index: _index, id: _id, type: _type, extra_content: _extra, ...others } = entry
  // Clients read a call of two kinds in different ways.
  if (!isNothing(called) && !isNothing(custom)) return false
  // A call of an unknown kind was not checked.
  if (isNothing(called) && isNothing(custom) && saysIn(others, Object.keys(others))) return false
  return (isNothing(called) || isReadCall(called, 'arguments', isWhole)) && (isNothing(custom) || isReadCall(custom, 'input', isWhole))
}

function isReadCall(call: unknown, given: 'arguments' | 'input', isWhole: boolean): boolean {
  if (!isFields(call) || isOther(call.name)) return false
  // Some providers send arguments as an object, which is checked as its JSON; clients cannot join such pieces of a stream.
  if (isWhole && given === 'arguments' && isFields(call.arguments)) return isNothing(call.parsed_arguments)
  return !isOther(call[given]) && isParsedFrom(call.parsed_arguments, call[given])
}

/** Whether log probabilities belong to the content of a message, including reasoning and calls. */
function hasOwnTokens(logprobs: unknown, message: Fields): boolean {
  if (!isFields(logprobs)) return true
  const { content, tool_calls: calls, ...others } = message
  const said = [...textsIn(others), ...textsIn(content), ...textsIn(calls)].join('\n')
  return areLogprobsOf(logprobs, said)
}
