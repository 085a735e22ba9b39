import { Answer } from './answer.ts'
import { contentText, refusalText, unreadOf } from './content.ts'
import { finishReasonIn } from './finish-reason.ts'
import { isSilentPart, unknownItems, unknownParts } from './parts.ts'
import { readToolCalls } from './tool-calls.ts'
import { type Fields, field, isFields, textField } from './tool-shapes/fields.ts'
import { innerMessage, shapeOf } from './tool-shapes/locate.ts'
import { UnreadableAnswerError, unknownShape } from './unreadable-answer.ts'

/** Keys that only calls have, around the call itself. */
const wrappers = ['function', 'functionCall', 'toolUse']

/** Calls without type and wrapper: the key of the name, those of the arguments, and what else they have. */
const plain: readonly { readonly name: string; readonly args: readonly string[]; readonly beside: readonly string[] }[] = [
  { name: 'name', args: ['arguments', 'args', 'parameters'], beside: ['id', 'call_id', 'index', 'status', 'error'] },
  {
    name: 'toolName',
    args: ['input', 'args'],
    beside: ['toolCallId', 'providerExecuted', 'providerMetadata', 'dynamic', 'invalid', 'error'],
  },
  { name: 'tool_name', args: ['arguments'], beside: ['id', 'tool_call_id', 'result', 'error', 'timestamp'] },
]

/**
 * Whether an object that nothing announces as a call is one: its type or wrapper says so, or it is a name with arguments and nothing else.
 *
 * Rows of logs and datasets have a name too.
 */
function isMeantCall(entry: unknown): entry is Fields {
  if (!isFields(entry) || shapeOf(entry) === undefined) return false
  if (typeof field(entry, 'type') === 'string' || wrappers.some((key) => isFields(field(entry, key)))) return true
  return plain.some(({ name, args, beside }) => {
    const keys = Object.keys(entry).filter((key) => entry[key] !== undefined)
    const given = keys.filter((key) => args.includes(key))
    return (
      textField(entry, name) !== '' && given.length === 1 && keys.every((key) => key === name || args.includes(key) || beside.includes(key))
    )
  })
}

export { UnreadableAnswerError } from './unreadable-answer.ts'

const isText = (value: unknown): boolean => typeof value === 'string'

/** Keys by which a response is known, each with what it must hold. */
const known: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: isText,
  final_response: isText,
  output_text: isText,
  refusal: isText,
  content: (value) => value === null || isText(value) || Array.isArray(value),
  parts: Array.isArray,
  output: Array.isArray,
  audio: isFields,
  tool_calls: Array.isArray,
  toolCalls: Array.isArray,
  invalid_tool_calls: Array.isArray,
  tool_execution_history: Array.isArray,
  function_call: isFields,
}

/** Those whose value would be lost if it were of another type. */
const strict = ['text', 'final_response', 'output_text', 'refusal', 'tool_calls', 'toolCalls', 'function_call']

/** Who else than a model writes messages, by `role` and, in LangChain, by `type` and class. */
const otherRoles = new Set(['user', 'system', 'developer', 'tool', 'function'])
const otherTypes = new Set(['human', 'system', 'tool'])
const otherClasses = /^(?:Human|System|Tool|Function)Message/
const modelTypes = new Set(['ai', 'AIMessage', 'AIMessageChunk'])

/**
 * Reads a whole response of any client: text, tool calls and finish reason.
 *
 * Of OpenAI (chat completions and Responses), Anthropic, Gemini, Bedrock, LangChain, the AI SDK, GlueLLM, one message, a list of parts or calls,
 * or a text.
 * Throws an UnreadableAnswerError, which is a TypeError, that says what it cannot read.
 */
export function readAnswer(response: unknown): Answer {
  if (typeof response === 'string') return new Answer(response)
  if (Array.isArray(response)) return readParts(response)
  if (!isFields(response)) throw new UnreadableAnswerError(`it is ${response === null ? 'null' : `of type ${typeof response}`}`)
  for (const key of ['choices', 'candidates']) refuseSeveral(field(response, key), key)
  const message = innerMessage(response).value
  if (isFields(message)) refuseHidden(message)
  if (!isFields(message) || !isResponse(message)) throw whyNot(response, message)
  refuseOthers(response, message)
  const whole = textOf(message)
  // A refusal counts beside text too, which is then only part of an answer.
  const refusal = messagesIn(message).map(refusalText).join('')
  const finishReason = refusal === '' ? finishOf(response, message) : 'refusal'
  const unread = unreadOf(message)
  const toolCalls = readToolCalls(response)
  if (whole === '' && finishReason === undefined && toolCalls.length === 0 && unread === undefined && isEmptyShell(message))
    throw new UnreadableAnswerError('it is empty')
  return new Answer(whole || refusal, {
    toolCalls,
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(unread === undefined ? {} : { unread }),
  })
}

/** A list of parts, or of calls. */
function readParts(parts: readonly unknown[]): Answer {
  if (parts.length === 0) throw new UnreadableAnswerError('it is empty')
  refuseUnknown(unknownParts(parts.filter((part) => typeof field(part, 'type') === 'string')))
  refuseStray(parts)
  const isTextPart = (part: unknown): boolean => isText(part) || (isText(field(part, 'text')) && !field(part, 'name'))
  return new Answer(contentText(parts.filter(isTextPart)), { toolCalls: readToolCalls(parts.filter((part) => !isTextPart(part))) })
}

function refuseSeveral(choices: unknown, key: string): void {
  if (Array.isArray(choices) && choices.length > 1) throw new UnreadableAnswerError(`it has ${choices.length} ${key}; give one of them`)
}

function refuseUnknown(parts: readonly string[]): void {
  if (parts.length > 0) throw new UnreadableAnswerError(`parts of unknown types: ${parts.slice(0, 10).join(', ')}`)
}

/** Rejects a part that is neither text nor known to be silent, and would be taken for a call by its name alone. */
function refuseStray(parts: unknown): void {
  const isKnown = (part: unknown): boolean =>
    !isFields(part) ? part === null || isText(part) : isText(field(part, 'text')) || isSilentPart(part) || isMeantCall(part)
  const stray: unknown = Array.isArray(parts) ? parts.find((part) => !isKnown(part)) : undefined
  if (stray !== undefined) throw unknownShape('one of its parts', isFields(stray) ? stray : {})
}

/** Whether nothing but an empty place is there; a message that says who wrote it may be empty. */
function isEmptyShell(message: Fields): boolean {
  const places = ['content', 'output', 'parts'].map((key) => field(message, key))
  return (
    places.some((place) => place === null || (Array.isArray(place) && place.length === 0)) &&
    textField(message, 'role') === '' &&
    !isText(field(message, 'text'))
  )
}

/** Whether `text` of an object of the Responses API holds the settings of its request, as it does in every one. */
export function hasTextSettings(response: Fields): boolean {
  return field(response, 'object') === 'response' && isFields(field(response, 'text')) && Array.isArray(field(response, 'output'))
}

function isResponse(message: Fields): boolean {
  for (const key of strict) {
    if (key === 'text' && hasTextSettings(message)) continue
    const value = field(message, key) ?? undefined
    if (value !== undefined && known[key]?.(value) === false)
      throw new UnreadableAnswerError(
        `its ${key} is not ${key.endsWith('s') ? 'a list' : key === 'function_call' ? 'an object' : 'a text'}`,
      )
  }
  return (
    Object.entries(known).some(([key, holds]) => field(message, key) !== undefined && holds(field(message, key))) || isMeantCall(message)
  )
}

function whyNot(response: Fields, message: unknown): UnreadableAnswerError {
  if (typeof field(response, 'then') === 'function') return new UnreadableAnswerError('it is a promise; await it')
  if (Symbol.asyncIterator in response) return new UnreadableAnswerError('it is a stream; read it to its end')
  const error = field(response, 'error')
  if (isFields(error)) return new UnreadableAnswerError(`it is an error: ${textField(error, 'message').slice(0, 200)}`)
  const content = field(message, 'content')
  if (isText(field(message, 'output'))) return new UnreadableAnswerError('its output is not a list')
  if (content !== undefined) return new UnreadableAnswerError('its content is neither a text nor a list of parts')
  return Object.keys(response).length === 0 ? new UnreadableAnswerError('it is empty') : unknownShape('it', response)
}

function textOf(message: Fields): string {
  const output = field(message, 'output')
  const content = field(message, 'content') ?? field(message, 'parts')
  refuseUnknown(unknownParts(content))
  refuseStray(content)
  // Other objects with a text have an output too.
  if (!isText(field(message, 'text'))) refuseUnknown(unknownItems(output))
  const said = Array.isArray(output)
    ? output.map((item) => (field(item, 'type') === 'message' ? contentText(field(item, 'content')) : '')).join('')
    : ''
  const joined = textField(message, 'output_text')
  // Programs show one of the two, and which is not known.
  if (joined !== '' && said !== '' && joined !== said) throw new UnreadableAnswerError('its output_text is not the text of its output')
  for (const key of ['text', 'final_response', 'output_text']) {
    const text = textField(message, key)
    if (text === '') continue
    const beside = contentText(content)
    // Parts may be those of earlier steps too.
    if (beside !== '' && (isText(content) ? beside !== text : !beside.endsWith(text)))
      throw new UnreadableAnswerError(`its ${key} is not that of its content`)
    return text
  }
  if (Array.isArray(output)) return said
  if (typeof output === 'string' && content === undefined) throw new UnreadableAnswerError('its output is not a list')
  if (isFields(content) || typeof content === 'number' || typeof content === 'boolean')
    throw new UnreadableAnswerError('its content is neither a text nor a list of parts')
  return contentText(content)
}

/** The messages of a response; each of them may hold a refusal. */
function messagesIn(message: Fields): readonly Fields[] {
  const output = field(message, 'output')
  return Array.isArray(output) ? output.filter((item) => field(item, 'type') === 'message') : [message]
}

/** Rejects calls that would be lost: in a field that throws, or beside those that are read. */
function refuseHidden(message: Fields): void {
  for (const key of Object.keys(message)) {
    try {
      Reflect.get(message, key)
    } catch {
      throw new UnreadableAnswerError(`its ${key} cannot be read`)
    }
  }
  const calls = field(message, 'tool_calls')
  if (Array.isArray(calls) && calls.length > 0 && isFields(field(message, 'function_call')))
    throw new UnreadableAnswerError('it has both tool_calls and function_call; give one of them')
}

/** Rejects the messages of a conversation that no model wrote. */
function refuseOthers(response: Fields, message: Fields): void {
  const [role, type, id] = [textField(message, 'role'), textField(message, 'type'), field(response, 'id')]
  const isOther = otherRoles.has(role) || otherTypes.has(type) || otherClasses.test(Array.isArray(id) ? String(id.at(-1)) : '')
  if (isOther) throw new UnreadableAnswerError('it is a message that no model wrote')
  // Many things have a type and data.
  if (message !== response && message === field(response, 'data') && !modelTypes.has(textField(response, 'type')))
    throw unknownShape('it', response)
}

function finishOf(response: Fields, message: Fields): string | undefined {
  const choices = field(response, 'choices') ?? field(response, 'candidates')
  const choice: unknown = Array.isArray(choices) ? choices[0] : response
  for (const holder of [choice, message, response]) {
    const reason = isFields(holder) ? finishReasonIn(holder) : undefined
    if (reason !== undefined) return reason
  }
  return undefined
}
