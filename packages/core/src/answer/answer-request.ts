import { Answer } from './answer.ts'
import { finishReasonIn, readFinishReason } from './finish-reason.ts'
import { pastContext } from './past-context.ts'
import { readAnswer } from './read-answer.ts'
import { type Fields, field, isFields } from './tool-shapes/fields.ts'
import { innerMessage } from './tool-shapes/locate.ts'

/** An answer that somebody wants to be checked, and what its validators are told. */
export interface AnswerRequest {
  readonly answer: Answer
  /** Set when there is only a question with its context, and the answer is empty: what is wrong with that for checks that judge an answer. */
  readonly missing?: Error
  /** Its calls as they were written, to be given back unchanged. */
  readonly rawToolCalls: readonly unknown[] | undefined
  readonly context: Fields
}

type Wrong = (param: string, message: string) => Error

const isText = (value: unknown): boolean => typeof value === 'string'
const isTools = (value: unknown): boolean => Array.isArray(value) || isFields(value)
const isSources = (value: unknown): boolean => Array.isArray(value) || (typeof value === 'number' && Number.isInteger(value) && value >= 0)

/** What each field must be; `null` is the same as nothing. */
const fields: Readonly<Record<string, readonly [fits: (value: unknown) => boolean, message: string]>> = {
  text: [isText, 'must be a string'],
  tool_calls: [Array.isArray, 'must be a list'],
  function_call: [isFields, 'must be an object'],
  invalid_tool_calls: [Array.isArray, 'must be a list'],
  tool_execution_history: [Array.isArray, 'must be a list'],
  message: [() => true, ''],
  response: [() => true, ''],
  finish_reason: [isText, 'must be a string'],
  stop_reason: [isText, 'must be a string'],
  tools: [isTools, 'must be a list'],
  functions: [Array.isArray, 'must be a list'],
  tool_choice: [(value) => isText(value) || isFields(value), 'must be a string or an object'],
  parallel_tool_calls: [(value) => typeof value === 'boolean', 'must be true or false'],
  messages: [Array.isArray, 'must be a list'],
  input: [(value) => isText(value) || Array.isArray(value), 'must be a text or a list'],
  previous_response_id: [isText, 'must be a string'],
  conversation: [(value) => isText(value) || isFields(value), 'must be a string or an object'],
  transcript: [() => true, ''],
  expected_sequence: [() => true, ''],
  sources: [isSources, 'must be a list, or the number of sources'],
  question: [isText, 'must be a string'],
  context: [() => true, ''],
}

/** The fields that say what to check, and those for the validators. */
export const answerFields: readonly string[] = Object.keys(fields)

/** Reads them, as a JSON line and a request to the gateway have them; `wrong` makes the error for one that cannot be right. */
export function readAnswerRequest(body: Fields, wrong: Wrong): AnswerRequest {
  const given: Record<string, unknown> = {}
  for (const [name, [fits, message]] of Object.entries(fields)) {
    const value = field(body, name) ?? undefined
    if (value === undefined) continue
    if (!fits(value)) throw wrong(name, message)
    given[name] = value
  }
  // A body that says what the answer is may have other fields of these names.
  const hasOwn = Boolean(given.text) || given.tool_calls !== undefined
  const wholeName = hasOwn ? undefined : ['response', 'message'].find((name) => given[name] !== undefined)
  const found = wholeName === undefined ? ownAnswer(body, given) : wholeAnswer(wholeName, given[wholeName], wrong)
  const missing = found instanceof Error ? found : undefined
  const read = found instanceof Error ? new Answer('') : found
  const finishReason = readFinishReason(given.finish_reason) ?? readFinishReason(given.stop_reason) ?? read.finishReason
  return {
    ...(missing ? { missing } : {}),
    answer: finishReason === read.finishReason ? read : new Answer(read.text, { ...read, finishReason }),
    rawToolCalls: wholeName === undefined ? rawCalls(given) : rawCalls(innerMessage(given[wholeName]).value),
    context: contextOf(given, body, wrong),
  }
}

/** Where a body that is a response itself keeps its text. */
const elsewhere = ['final_response', 'content', 'parts', 'output', 'output_text', 'choices', 'candidates', 'refusal', 'audio']
const pieces = ['text', 'tool_calls', 'function_call', 'invalid_tool_calls', 'tool_execution_history']

function ownAnswer(body: Fields, given: Fields): Answer | Error {
  try {
    return readOwn(body, given)
  } catch (error) {
    const hasAnswer = [...pieces, ...elsewhere].some((name) => (field(body, name) ?? undefined) !== undefined)
    if (error instanceof Error && !hasAnswer && given.question !== undefined && given.context !== undefined) return error
    throw error
  }
}

function readOwn(body: Fields, given: Fields): Answer {
  const { text: _text, ...others } = body
  const isResponse = given.text === undefined && elsewhere.some((key) => (field(body, key) ?? undefined) !== undefined)
  if (isResponse || pieces.every((name) => given[name] === undefined)) return readAnswer(others)
  const read = readAnswer({
    text: '',
    ...Object.fromEntries(pieces.map((name) => [name, given[name]]).filter(([, value]) => value !== undefined)),
  })
  return new Answer(read.text, { ...read, finishReason: finishReasonIn(body) })
}

function wholeAnswer(name: string, whole: unknown, wrong: Wrong): Answer {
  try {
    return readAnswer(whole)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw wrong(name, why.replace('this is not a response that can be read', 'cannot be read'))
  }
}

function rawCalls(holder: unknown): readonly unknown[] | undefined {
  const listed = field(holder, 'tool_calls') ?? undefined
  const single = field(holder, 'function_call') ?? undefined
  const calls = listed ?? (single === undefined ? field(holder, 'tool_execution_history') : [single])
  return Array.isArray(calls) ? calls : undefined
}

function contextOf(given: Fields, body: Fields, wrong: Wrong): Fields {
  const { tools, functions, tool_choice: toolChoice, parallel_tool_calls: parallelToolCalls, sources, question, context } = given
  const told = { tools, functions, toolChoice, parallelToolCalls, sources, question, context, ...pastContext(body, wrong) }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}
