import { Answer } from './answer.ts'
import { contentText, refusalText, unreadOf } from './content.ts'
import { finishReasonIn } from './finish-reason.ts'
import { unknownItems, unknownParts } from './parts.ts'
import { readToolCalls } from './tool-calls.ts'
import { type Fields, field, isFields, textField } from './tool-shapes/fields.ts'
import { innerMessage, locateCalls } from './tool-shapes/locate.ts'

/** Keys by which a response is known. */
const known = ['text', 'content', 'final_response', 'output', 'output_text', 'parts', 'refusal', 'audio']

/**
 * Reads a whole response of any client: text, tool calls and finish reason.
 *
 * Of OpenAI (chat completions and Responses), Anthropic, Gemini, Bedrock, LangChain, the AI SDK, GlueLLM, one message, a list of parts or calls,
 * or a text.
 * Throws a TypeError that says what it cannot read.
 */
export function readAnswer(response: unknown): Answer {
  if (typeof response === 'string') return new Answer(response)
  if (Array.isArray(response)) return readParts(response)
  if (!isFields(response)) throw unreadable(`it is ${response === null ? 'null' : `of type ${typeof response}`}`)
  for (const key of ['choices', 'candidates']) refuseSeveral(field(response, key), key)
  const message = innerMessage(response).value
  if (isFields(message)) refuseHidden(message)
  if (!isFields(message) || !isResponse(message)) throw unreadable(whyNot(response))
  const whole = textOf(message)
  // A refusal counts beside text too, which is then only part of an answer.
  const refusal = messagesIn(message).map(refusalText).join('')
  const finishReason = refusal === '' ? finishOf(response, message) : 'refusal'
  const unread = unreadOf(message)
  if (whole === '' && finishReason === undefined && isBare(message)) throw unreadable('it is empty')
  return new Answer(whole || refusal, {
    toolCalls: readToolCalls(response),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(unread === undefined ? {} : { unread }),
  })
}

/** A list of parts, or of calls: what is neither stays among the calls, and is reported there. */
function readParts(parts: readonly unknown[]): Answer {
  if (parts.length === 0) throw unreadable('it is empty')
  refuseUnknown(unknownParts(parts.filter((part) => typeof field(part, 'type') === 'string')))
  const isText = (part: unknown): boolean => typeof part === 'string' || (typeof field(part, 'text') === 'string' && !field(part, 'name'))
  return new Answer(contentText(parts.filter(isText)), { toolCalls: readToolCalls(parts.filter((part) => !isText(part))) })
}

function refuseSeveral(choices: unknown, key: string): void {
  if (Array.isArray(choices) && choices.length > 1) throw unreadable(`it has ${choices.length} ${key}; give one of them`)
}

function refuseUnknown(parts: readonly string[]): void {
  if (parts.length > 0) throw unreadable(`parts of unknown types: ${parts.slice(0, 10).join(', ')}`)
}

/** Whether an empty list is all that there is; a message that says who wrote it may be empty. */
function isBare(message: Fields): boolean {
  const lists = ['content', 'output', 'parts'].map((key) => field(message, key)).filter(Array.isArray)
  return lists.some((list) => list.length === 0) && textField(message, 'role') === '' && typeof field(message, 'text') !== 'string'
}

function isResponse(message: Fields): boolean {
  return known.some((key) => field(message, key) !== undefined) || locateCalls(message) !== undefined
}

function whyNot(response: Fields): string {
  if (typeof field(response, 'then') === 'function') return 'it is a promise; await it'
  if (Symbol.asyncIterator in response) return 'it is a stream; read it to its end'
  const error = field(response, 'error')
  if (isFields(error)) return `it is an error: ${textField(error, 'message').slice(0, 200)}`
  const keys = Object.keys(response).slice(0, 10)
  return keys.length === 0 ? 'it is empty' : `it has neither text nor calls in a known place; its keys are ${keys.join(', ')}`
}

function textOf(message: Fields): string {
  const output = field(message, 'output')
  const content = field(message, 'content') ?? field(message, 'parts')
  refuseUnknown(unknownParts(content))
  // Other objects with a text have an output too.
  if (typeof field(message, 'text') !== 'string') refuseUnknown(unknownItems(output))
  for (const key of ['text', 'final_response', 'output_text']) {
    const text = textField(message, key)
    if (text !== '') return text
  }
  if (Array.isArray(output))
    return output.map((item) => (field(item, 'type') === 'message' ? contentText(field(item, 'content')) : '')).join('')
  if (typeof output === 'string' && content === undefined) throw unreadable('its output is not a list')
  if (isFields(content) || typeof content === 'number' || typeof content === 'boolean')
    throw unreadable('its content is neither a text nor a list of parts')
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
      throw unreadable(`its ${key} cannot be read`)
    }
  }
  const calls = field(message, 'tool_calls')
  if (Array.isArray(calls) && calls.length > 0 && isFields(field(message, 'function_call')))
    throw unreadable('it has both tool_calls and function_call; give one of them')
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

function unreadable(why: string): TypeError {
  return new TypeError(`this is not a response that can be read: ${why}`)
}
