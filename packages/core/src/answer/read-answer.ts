import { Answer } from './answer.ts'
import { contentText, refusalText, unreadOf } from './content.ts'
import { finishReasonIn } from './finish-reason.ts'
import { readToolCalls } from './tool-calls.ts'
import { type Fields, field, isFields, textField } from './tool-shapes/fields.ts'
import { innerMessage, locateCalls } from './tool-shapes/locate.ts'

/** Keys by which a response is known. */
const known = ['text', 'content', 'final_response', 'output', 'output_text', 'parts', 'refusal', 'audio']

/**
 * Reads a whole response of any client: text, tool calls and finish reason.
 *
 * Of OpenAI (chat completions and Responses), Anthropic, Gemini, LangChain, the AI SDK, GlueLLM, one message, a list of calls, or a text.
 * Throws a TypeError that says what it cannot read.
 */
export function readAnswer(response: unknown): Answer {
  if (typeof response === 'string') return new Answer(response)
  if (Array.isArray(response)) return new Answer('', { toolCalls: readToolCalls(response) })
  if (!isFields(response)) throw unreadable(`it is ${response === null ? 'null' : `of type ${typeof response}`}`)
  const message = innerMessage(response).value
  if (!isFields(message) || !isResponse(message)) throw unreadable(whyNot(response))
  const whole = textOf(message)
  const refusal = whole === '' ? refusalText(lastMessage(message)) : ''
  const finishReason = refusal === '' ? finishOf(response, message) : 'refusal'
  const unread = unreadOf(message)
  return new Answer(whole || refusal, {
    toolCalls: readToolCalls(response),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(unread === undefined ? {} : { unread }),
  })
}

function isResponse(message: Fields): boolean {
  return known.some((key) => field(message, key) !== undefined) || locateCalls(message) !== undefined
}

function whyNot(response: Fields): string {
  if (typeof field(response, 'then') === 'function') return 'it is a promise, which has to be awaited'
  if (Symbol.asyncIterator in response) return 'it is a stream, which has to be read to its end'
  const error = field(response, 'error')
  if (isFields(error)) return `it is an error: ${textField(error, 'message').slice(0, 200)}`
  const keys = Object.keys(response).slice(0, 10)
  return keys.length === 0 ? 'it is empty' : `it has neither text nor calls in a known place; its keys are ${keys.join(', ')}`
}

function textOf(message: Fields): string {
  for (const key of ['text', 'final_response', 'output_text']) {
    const text = textField(message, key)
    if (text !== '') return text
  }
  const output = field(message, 'output')
  if (Array.isArray(output))
    return output.map((item) => (field(item, 'type') === 'message' ? contentText(field(item, 'content')) : '')).join('')
  const content = field(message, 'content') ?? field(message, 'parts')
  if (isFields(content) || typeof content === 'number' || typeof content === 'boolean')
    throw unreadable('its content is neither a text nor a list of parts')
  return contentText(content)
}

/** The part of a response that a refusal stands in. */
function lastMessage(message: Fields): Fields {
  const output = field(message, 'output')
  const last = Array.isArray(output) ? output.findLast((item) => field(item, 'type') === 'message') : message
  return isFields(last) ? last : {}
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
