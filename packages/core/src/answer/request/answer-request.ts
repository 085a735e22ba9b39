import { Answer } from '../answer.ts'
import { finishReasonIn, readFinishReason } from '../finish-reason.ts'
import { pastContext } from '../past-context.ts'
import { hasTextSettings, readAnswer } from '../read-answer.ts'
import { type Fields, field, isFields } from '../tool-shapes/fields.ts'
import { innerMessage } from '../tool-shapes/locate.ts'
import { forcesCall } from '../tool-shapes/tool-choice.ts'
import { readTools } from '../tool-shapes/tool-definition.ts'
import { answerShapes, UnreadableAnswerError } from '../unreadable-answer.ts'
import { answerShape, readShape, type Wrong } from './answer-fields.ts'
import { checkSchemaSize } from './schema-size.ts'

/** The format in a request of any API. */
export function ownFormat({ response_format: chat, text, output_config: config, output_format: older }: Fields): unknown {
  return chat ?? (isFields(text) ? text.format : undefined) ?? (isFields(config) ? config.format : undefined) ?? older ?? undefined
}

const formats: ReadonlySet<unknown> = new Set(['json_schema', 'json_object'])

/**
 * Whether a request of chat completions asks for JSON that a program parses: by its format or, as clients do for models
 * that know none, by its only tool, which must be called; a model that still answers with text is expected to write its arguments.
 */
export function wantsValue({ response_format: format, tools, functions, tool_choice: choice, function_call: older }: Fields): boolean {
  if (isFields(format) && formats.has(format.type)) return true
  const offered = tools ?? functions
  // A tool that the provider runs has no arguments that a model could write instead.
  return Array.isArray(offered) && offered.length === 1 && forcesCall(choice ?? older) && readTools(offered)?.length === 1
}

/** The keys of an answer; keys of one group belong together, keys of two groups are two answers. */
const answerKeys = [
  ['text', 'tool_calls', 'function_call', 'invalid_tool_calls', 'tool_execution_history', 'final_response', 'content', 'parts'],
  ['output', 'output_text'],
  ['message'],
  ['response'],
  ['choices'],
  ['candidates'],
]
const textKeys = ['text', 'final_response', 'content', 'parts']

/** Throws when a body holds two answers, of which only one would be checked. */
function refuseSeveral(body: Fields, wrong: Wrong): void {
  const has = (key: string): boolean => (field(body, key) ?? undefined) !== undefined
  const groups = answerKeys.map((keys) => keys.filter(has)).filter((keys) => keys.length > 0)
  const [first, second] = groups.length > 1 ? groups.map(([key]) => key) : textKeys.filter(has)
  if (first !== undefined && second !== undefined) throw wrong(second, `excludes ${first}`)
}

/** An answer to check, and the context for its validators. */
export interface AnswerRequest {
  readonly answer: Answer
  /** Set when there is only a question with its context, and the answer is empty: what is wrong with that for checks that judge an answer. */
  readonly missing?: Error
  /** Its calls as they were written, to be given back unchanged. */
  readonly rawToolCalls: readonly unknown[] | undefined
  readonly context: Fields
  /** What its request asked for, as chat completions have it. */
  readonly asked: Fields
}

/** The fields that say what to check, and those for the validators. */
export function answerFields(): readonly string[] {
  return Object.keys(answerShape())
}

/** Reads them, as a JSON line and a request to the gateway have them; `wrong` makes the error for one that cannot be right. */
export function readAnswerRequest(raw: Fields, wrong: Wrong): AnswerRequest {
  const body = withoutRemark(raw)
  // What is not an answer at all is said first, before a field of it that has another meaning elsewhere.
  const shape = answerShape()
  const first = Object.fromEntries(toldFirst.map((name) => [name, shape[name]]))
  const told: Fields = readShape(first, body, wrong)
  refuseSeveral(body, wrong)
  const wholeName = ['response', 'message'].find((name) => told[name] !== undefined)
  const found = wholeName === undefined ? ownAnswer(body, told, wrong) : wholeAnswer(wholeName, told[wholeName], wrong)
  const given: Fields = readShape(shape, body, wrong)
  for (const name of ['tools', 'functions'])
    for (const [key, tool] of Object.entries(given[name] ?? {})) checkSchemaSize(tool, `${name}[${key}]`, wrong)
  const missing = found instanceof Error ? found : undefined
  if (missing && (given.question === undefined || given.context === undefined)) throw missing
  const read = found instanceof Error ? new Answer('') : found
  const { tools, functions, tool_choice } = given
  // A response repeats the format of its request.
  const format = ownFormat(raw) ?? (isFields(told.response) ? ownFormat(told.response) : undefined)
  const asked = { response_format: format, tools, functions, tool_choice }
  const finishReason = readFinishReason(given.finish_reason) ?? readFinishReason(given.stop_reason) ?? read.finishReason
  return {
    ...(missing ? { missing } : {}),
    answer: finishReason === read.finishReason ? read : new Answer(read.text, { ...read, finishReason }),
    rawToolCalls: wholeName === undefined ? rawCalls(given) : rawCalls(innerMessage(given[wholeName]).value),
    context: contextOf(given, wantsValue(asked), body, wrong),
    asked,
  }
}

/** Beside a text, a message that is a string itself is a remark, as in the lines of a log; settings of a response are not its text. */
function withoutRemark(body: Fields): Fields {
  if (hasTextSettings(body)) {
    const { text: _settings, ...others } = body
    return others
  }
  if (typeof field(body, 'text') !== 'string' || typeof field(body, 'message') !== 'string') return body
  const { message: _remark, ...others } = body
  return others
}

/** Where a body that is a response itself keeps its text. */
const elsewhere = ['final_response', 'content', 'parts', 'output', 'output_text', 'choices', 'candidates', 'refusal', 'audio']
const pieces = ['text', 'tool_calls', 'function_call', 'invalid_tool_calls', 'tool_execution_history'] as const
const toldFirst = [...pieces, 'message', 'response'] as const

/** Whether a field of a body is given beside an answer. */
function isBeside(name: string): boolean {
  return Object.hasOwn(answerShape(), name) && !(toldFirst as readonly string[]).includes(name)
}

function ownAnswer(body: Fields, given: Fields, wrong: Wrong): Answer | Error {
  try {
    return readOwn(body, given)
  } catch (error) {
    const held = [...pieces, ...elsewhere].find((name) => (field(body, name) ?? undefined) !== undefined)
    if (held !== undefined) throw unreadable(held, error, wrong)
    const missing = wrong(
      'text',
      `is missing; an answer can be read from text, tool_calls, message or response; a message or response is ${answerShapes.join(', ')}`,
    )
    return missing
  }
}

function readOwn(body: Fields, given: Fields): Answer {
  const others = Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'text' && !isBeside(key)))
  const isResponse = given.text === undefined && elsewhere.some((key) => (field(body, key) ?? undefined) !== undefined)
  if (isResponse || pieces.every((name) => given[name] === undefined)) return readAnswer(others)
  const read = readAnswer({
    text: '',
    ...Object.fromEntries(pieces.map((name) => [name, given[name]]).filter(([, value]) => value !== undefined)),
  })
  // A list of calls is what a turn ended with, unless the line says otherwise.
  return new Answer(read.text, { ...read, finishReason: finishReasonIn(body) ?? (read.toolCalls.length > 0 ? 'tool_calls' : undefined) })
}

function wholeAnswer(name: string, whole: unknown, wrong: Wrong): Answer {
  try {
    return readAnswer(whole)
  } catch (error) {
    throw unreadable(name, error, wrong)
  }
}

function unreadable(name: string, error: unknown, wrong: Wrong): Error {
  return wrong(name, `cannot be read: ${error instanceof UnreadableAnswerError ? error.why : String(error)}`)
}

function rawCalls(holder: unknown): readonly unknown[] | undefined {
  const listed = field(holder, 'tool_calls') ?? undefined
  const single = field(holder, 'function_call') ?? undefined
  const calls = listed ?? (single === undefined ? field(holder, 'tool_execution_history') : [single])
  return Array.isArray(calls) ? calls : undefined
}

function contextOf(given: Fields, isValue: boolean, body: Fields, wrong: Wrong): Fields {
  const { tools, functions, tool_choice: toolChoice, parallel_tool_calls: parallelToolCalls, sources, question, context } = given
  const prompt = given.prompt ?? given.messages ?? given.input
  const deliver = isValue ? 'value' : undefined
  const told = { tools, functions, toolChoice, parallelToolCalls, sources, question, context, prompt, deliver, ...pastContext(body, wrong) }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}
