import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { areTokensOf, isNothing, isOther, isParsedFrom, saysIn } from '../unread-places.ts'

/** Members that hold texts of an event by themselves. */
const texts = ['delta', 'text', 'arguments', 'input', 'refusal', 'transcript', 'content', 'message', 'output', 'output_text']

/** The members that events of a kind have of their own; of the kinds that are not listed they have none. */
const own: Readonly<Record<string, readonly string[]>> = {
  output_text: ['delta', 'text'],
  refusal: ['delta', 'refusal'],
  function_call_arguments: ['delta', 'arguments', 'name'],
  custom_tool_call_input: ['delta', 'input'],
  mcp_call_arguments: ['delta', 'arguments'],
  code_interpreter_call_code: ['delta'],
  reasoning_text: ['delta', 'text'],
  reasoning_summary_text: ['delta', 'text'],
}

/** Kinds of events about what is no answer: thoughts, sounds, which wait for the verdict, and calls of tools that the provider runs. */
const aside = /^(?:reasoning|reasoning_summary|audio)$|^mcp_|_call(?:_|$)/

/** Whether an event holds text or calls where none are read, or something else where they are. */
export function hasUnread(type: string, event: Fields): boolean {
  const { response, item, part } = event
  const [, kind = '', what] = type.split('.')
  const mine = own[kind]
  if (mine !== undefined) {
    // Clients join deltas with what came before, whatever they are.
    if ((what === 'delta' && typeof event.delta !== 'string') || mine.some((name) => isOther(event[name]))) return true
  }
  if ((mine !== undefined || !aside.test(kind)) && saysIn(event, mine === undefined ? texts : (others[kind] ?? texts))) return true
  if (response === undefined && item === undefined && part === undefined) return false
  return !(
    (isNothing(response) || isReadResponse(response)) &&
    (isNothing(item) || isReadItem(item)) &&
    (isNothing(part) || isReadPart(part))
  )
}

const others = Object.fromEntries(Object.entries(own).map(([kind, mine]) => [kind, texts.filter((name) => !mine.includes(name))]))

/** Whether a response is read as a whole; its joined text is compared elsewhere. */
export function isReadResponse(response: unknown): boolean {
  if (!isFields(response)) return false
  const { output, output_text: joined, output_parsed: parsed } = response
  if (isOther(joined) || !areAll(output, isReadItem)) return false
  if (isNothing(parsed)) return true
  return Array.isArray(output) && output.flatMap(partsIn).some((part) => isAnswer(part) && isParsedFrom(parsed, part.text))
}

function partsIn(item: unknown): readonly Fields[] {
  return isFields(item) && Array.isArray(item.content) ? item.content.filter(isFields) : []
}

function isAnswer({ type }: Fields): boolean {
  return type === 'output_text'
}

/** Items of unknown types are passed on, unless they look like an answer. */
function isReadItem(item: unknown): boolean {
  if (!isFields(item)) return false
  const { type, content, name, arguments: given, input, summary, parsed_arguments: parsed } = item
  switch (type) {
    case 'message':
      return areAll(content, isReadPart)
    case 'function_call':
      return isText(name) && isText(given) && isParsedFrom(parsed, given)
    case 'custom_tool_call':
      return isText(name) && isText(input)
    case 'reasoning':
      return [content, summary].every((thoughts) => areAll(thoughts, (one) => isFields(one) && isText(one.text)))
    default:
      return (
        typeof type === 'string' && (aside.test(type) || !(saysIn(item, ['text', 'arguments', 'input']) || partsIn(item).some(isAnswer)))
      )
  }
}

function isReadPart(part: unknown): boolean {
  if (!isFields(part)) return false
  const { type, text, refusal, parsed, logprobs } = part
  if (type === 'output_text') return isText(text) && isParsedFrom(parsed, text) && areTokensOf(logprobs, text ?? '')
  if (type === 'refusal') return isText(refusal)
  const isThought = type === 'reasoning_text' || type === 'summary_text'
  return isThought ? isText(text) : !saysIn(part, ['text', 'transcript'])
}

function areAll(list: unknown, is: (one: unknown) => boolean): boolean {
  return isNothing(list) || (Array.isArray(list) && list.every(is))
}

/** Whether a value is a text, or left out; clients take `null` for one. */
function isText(value: unknown): value is string | undefined {
  return typeof value === 'string' || value === undefined
}
