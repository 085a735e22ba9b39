import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { isNativeCall } from '../../answer/tool-shapes/native-calls.ts'
import { areTokensOf } from '../reply/tokens.ts'
import { isNothing, isOther, isParsedFrom, saysIn } from '../shared/unchecked-values.ts'

/** Members with texts of an event. */
const texts = ['delta', 'text', 'arguments', 'input', 'refusal', 'transcript', 'content', 'message', 'output', 'output_text']

/** The member with the whole text in the event that ends it; deltas have `delta`. */
const own: ReadonlyMap<string, string> = new Map([
  ['output_text', 'text'],
  ['refusal', 'refusal'],
  ['function_call_arguments', 'arguments'],
  ['custom_tool_call_input', 'input'],
  ['shell_call_command', 'command'],
  ['apply_patch_call_operation_diff', 'diff'],
  ['mcp_call_arguments', 'arguments'],
  ['code_interpreter_call_code', 'code'],
  ['reasoning_text', 'text'],
  ['reasoning_summary_text', 'text'],
])

/** Events and items that are not an answer: reasoning, audio, which waits for the verdict, and calls of tools that the provider runs. */
const asides: ReadonlySet<string> = new Set(
  (
    'reasoning reasoning_summary audio mcp_list_tools mcp_call web_search_call file_search_call code_interpreter_call image_generation_call ' +
    'x_search_call collections_search_call'
  ).split(' '),
)
const calls = /(?:^|_)(?:call|tool_use)(?:_|$)/

/** Calls that the client executes are checked as a whole, so their events are not part of the answer. */
function isAside(kind: string): boolean {
  const end = kind.indexOf('_call_')
  const about = end < 0 ? kind : kind.slice(0, end + '_call'.length)
  return asides.has(about) || isNativeCall(about)
}

/** Whether events or items of a kind are about an unknown kind of call, which a client may execute; results of calls are not. */
function isUnknownCall(kind: string): boolean {
  return calls.test(kind) && !kind.endsWith('_output') && !isAside(kind)
}

/** Whether an event has text or calls where none are checked, or other values where they are. */
export function hasUnread(type: string, event: Fields): boolean {
  const { response, item, part } = event
  const [, kind = '', what] = type.split('.')
  const whole = own.get(kind)
  const mine = whole === undefined ? undefined : what === 'delta' ? what : what === 'done' ? whole : undefined
  // Clients append deltas to earlier text, whatever they are.
  if (mine !== undefined && (what === 'delta' ? typeof event.delta !== 'string' : isOther(event[mine]) || isOther(event.name))) return true
  if (whole === undefined && isUnknownCall(kind)) return true
  if ((mine !== undefined || !isAside(kind)) && saysIn(event, texts, mine)) return true
  // Clients show transcripts of audio as text.
  if (what === 'transcript' && !(isNothing(event.delta) && isNothing(event.text) && isNothing(event.transcript))) return true
  if (response === undefined && item === undefined && part === undefined) return false
  return !(
    (isNothing(response) || isReadResponse(response)) &&
    (isNothing(item) || isReadItem(item)) &&
    (isNothing(part) || isReadPart(part))
  )
}

/** Whether a whole response has only content that is checked; its joined text is compared elsewhere. */
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
  const { type, content, name, arguments: given, input, summary, parsed_arguments: parsed, namespace } = item
  switch (type) {
    case 'message':
      return areAll(content, isReadPart)
    case 'function_call':
      return isText(name) && isText(given) && !isOther(namespace) && isParsedFrom(parsed, given)
    case 'custom_tool_call':
      return isText(name) && isText(input) && !isOther(namespace)
    case 'reasoning':
      return [content, summary].every((thoughts) => areAll(thoughts, (one) => isFields(one) && isText(one.text)))
    default:
      if (typeof type !== 'string' || isUnknownCall(type)) return false
      return isAside(type) || !(looksLikeCall(type, item) || saysIn(item, ['text', 'arguments', 'input']) || partsIn(item).some(isAnswer))
  }
}

function looksLikeCall(type: string, { call_id: call }: Fields): boolean {
  return !isNothing(call) && !type.endsWith('_output')
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

/** Whether a value is a string or absent; clients treat `null` as a string. */
function isText(value: unknown): value is string | undefined {
  return typeof value === 'string' || value === undefined
}
