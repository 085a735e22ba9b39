import { Answer, readAnswer } from '@stickler/core'
import { pastContext, readFinishReason } from '@stickler/core/runners'
import { HttpError } from '../http/http-error.ts'
import { checkSchemaSize } from '../protocols/schema-size.ts'

type Fields = Readonly<Record<string, unknown>>

/** When repairs are made; without a model, first and last are the same. */
export type RepairChoice = 'first' | 'last' | 'never'

/** An answer to be checked, and what its validators are told. */
export interface CheckRequest {
  readonly contract: string | undefined
  readonly preset: string | undefined
  readonly answer: Answer
  /** As they were written, to be given back unchanged. */
  readonly rawToolCalls: readonly unknown[] | undefined
  readonly context: Fields
  readonly repair: RepairChoice | undefined
  readonly session: string | undefined
}

const known = new Set([
  'contract',
  'preset',
  'text',
  'message',
  'tool_calls',
  'finish_reason',
  'sources',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'messages',
  'transcript',
  'expected_sequence',
  'context',
  'question',
  'repair',
  'session',
])
const longestName = 256

/** Reads the body of a check; throws a 400 that names the parameter when it cannot be right. */
export function readCheckRequest(body: Fields): CheckRequest {
  const unknown = Object.keys(body).find((name) => !known.has(name))
  // Checks and options of a contract come from the configuration alone, so they must not be passed over in silence.
  if (unknown !== undefined)
    throw bad(unknown.slice(0, 80), `There is no parameter ${JSON.stringify(unknown.slice(0, 80))}; there are ${[...known].join(', ')}.`)
  const contract = text(body, 'contract', longestName)
  const preset = text(body, 'preset', longestName)
  if (contract !== undefined && preset !== undefined) throw bad('preset', 'contract and preset exclude each other.')
  const message = object(body, 'message')
  const content = text(body, 'text')
  const calls = list(body, 'tool_calls')
  if (message !== undefined && (content !== undefined || calls !== undefined)) throw bad('message', 'message excludes text and tool_calls.')
  if (message === undefined && content === undefined && calls === undefined)
    throw bad('text', 'Give the answer as text, message or tool_calls.')
  const rawToolCalls = calls ?? (Array.isArray(message?.tool_calls) ? (message.tool_calls as unknown[]) : undefined)
  const read = answerOf(message ?? { text: content ?? '', tool_calls: calls })
  const finishReason = readFinishReason(text(body, 'finish_reason', longestName)) ?? read.finishReason
  const { toolCalls, unread } = read
  return {
    contract,
    preset,
    answer: new Answer(read.text, { toolCalls, unread, finishReason }),
    rawToolCalls,
    context: contextOf(body),
    repair: repairOf(body),
    session: text(body, 'session', longestName),
  }
}

function contextOf(body: Fields): Fields {
  const sources = body.sources ?? undefined
  const isCount = typeof sources === 'number' && Number.isInteger(sources) && sources >= 0
  if (sources !== undefined && !isCount && !Array.isArray(sources))
    throw bad('sources', 'sources must be a list, or the number of sources.')
  const offered = [list(body, 'tools'), list(body, 'functions')].filter((one) => one !== undefined)
  const tools = offered.length === 0 ? undefined : offered.flat()
  tools?.forEach((tool, index) => {
    checkSchemaSize(tool, `tools[${index}]`)
  })
  const told = {
    tools,
    toolChoice: choiceOf(body),
    parallelToolCalls: boolean(body, 'parallel_tool_calls'),
    sources,
    question: text(body, 'question'),
    context: body.context ?? undefined,
    ...pastContext({ ...body, messages: list(body, 'messages') }, (param, message) => bad(param, `${param} ${message}.`)),
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

function choiceOf({ tool_choice: choice }: Fields): unknown {
  if (choice === undefined || choice === null) return undefined
  if (typeof choice === 'string' || isFields(choice)) return choice
  throw bad('tool_choice', 'tool_choice must be a string or an object.')
}

function repairOf({ repair }: Fields): RepairChoice | undefined {
  if (repair === undefined || repair === null) return undefined
  if (repair === 'first' || repair === 'last' || repair === 'never') return repair
  throw bad('repair', 'repair must be first, last or never.')
}

/** The answer in a response of any client. */
function answerOf(response: Fields): Answer {
  try {
    return readAnswer(response)
  } catch (error) {
    throw bad('message', `message: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

function text(body: Fields, name: string, longest = Number.POSITIVE_INFINITY): string | undefined {
  const value = body[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw bad(name, `${name} must be a string.`)
  if (value.length > longest) throw bad(name, `${name} may have at most ${longest} characters.`)
  return value
}

function boolean(body: Fields, name: string): boolean | undefined {
  const value = body[name] ?? undefined
  if (value !== undefined && typeof value !== 'boolean') throw bad(name, `${name} must be true or false.`)
  return value
}

function list(body: Fields, name: string): readonly unknown[] | undefined {
  const value = body[name] ?? undefined
  if (value !== undefined && !Array.isArray(value)) throw bad(name, `${name} must be a list.`)
  return value
}

function object(body: Fields, name: string): Fields | undefined {
  const value = body[name] ?? undefined
  if (value !== undefined && !isFields(value)) throw bad(name, `${name} must be an object.`)
  return value
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bad(param: string, message: string): HttpError {
  return new HttpError(400, message, { param, code: 'invalid_parameter' })
}
