import { type Fields, isFields, ownFormat, parseJson } from '@stickler/core/internal'
import type { Label, RecordedUsage } from '../recording.ts'
import type { Found, Missing } from './format.ts'

/** The fields of a request that a line of `check --jsonl` has too. */
const requestKeys = [
  'messages',
  'input',
  'prompt',
  'tools',
  'functions',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'previous_response_id',
  'conversation',
] as const

/** What an answer was an answer to, from the request of any provider. */
export function requestFields(request: unknown): Fields {
  if (!isFields(request)) return {}
  const asked: Fields = { ...request, response_format: ownFormat(request) }
  return Object.fromEntries(requestKeys.flatMap((key) => ((asked[key] ?? undefined) === undefined ? [] : [[key, asked[key]]])))
}

/** What an answer was an answer to, where a tool logs whatever a program gave it: a text, messages, or a request. */
export function askedFields(input: unknown): Fields {
  if (typeof input === 'string') return { prompt: input }
  if (Array.isArray(input)) return input.length > 0 && input.every(hasRole) ? { messages: input } : {}
  return isFields(input) && Array.isArray(input.messages) ? requestFields(input) : {}
}

function hasRole(message: unknown): boolean {
  return isFields(message) && typeof message.role === 'string'
}

/** The answers in what a tool logged as output: a text, a message, messages, choices, or the response of a provider. */
export function answersIn(output: unknown): readonly (Pick<Found, 'fields'> | Pick<Missing, 'reason' | 'detail'>)[] {
  if (typeof output === 'string') return [{ fields: { text: output } }]
  if (isNothing(output)) return [{ reason: 'without text' }]
  if (Array.isArray(output)) return answersInList(output)
  if (!isFields(output)) return [{ reason: 'unreadable', detail: `the output is a ${typeof output}` }]
  const { choices, messages } = output
  if (Array.isArray(choices) && choices.length > 1)
    return choices.map((choice: unknown) => ({ fields: { response: { ...output, choices: [choice] } } }))
  if (Array.isArray(messages) && messages.every(hasRole) && output.role === undefined) return answersInList(messages)
  return [{ fields: { response: output } }]
}

function answersInList(output: readonly unknown[]): readonly (Pick<Found, 'fields'> | Pick<Missing, 'reason' | 'detail'>)[] {
  if (output.every(hasRole)) {
    const last = output.findLast((message) => isFields(message) && message.role === 'assistant')
    return [last === undefined ? { reason: 'without text' } : { fields: { message: last } }]
  }
  if (output.every((choice) => isFields(choice) && isFields(choice.message)))
    return output.map((choice) => ({ fields: { response: { choices: [choice] } } }))
  // Parts and items have a type; texts and numbers in a list are data, whose original text is not known.
  if (output.every((part) => isFields(part) && typeof part.type === 'string'))
    return [{ fields: { response: output.some(isItem) ? { output } : output } }]
  return [{ reason: 'unreadable', detail: 'the output is a list of data' }]
}

/** Whether a part is an item of the Responses API. */
function isItem(part: unknown): boolean {
  return isFields(part) && (part.type === 'message' || part.type === 'function_call')
}

function isNothing(output: unknown): boolean {
  if (output === undefined || output === null) return true
  return typeof output === 'object' && Object.keys(output).length === 0
}

/** Answers with what all of them share; several of one record get numbers after its id. */
export function* shared(
  found: readonly (Pick<Found, 'fields'> | Pick<Missing, 'reason' | 'detail'>)[],
  { fields = {}, ...about }: Partial<Found>,
): Generator<Found | Missing> {
  for (const [at, one] of found.entries()) {
    const id = about.id === undefined || found.length === 1 ? about.id : `${about.id}/${at}`
    yield 'fields' in one ? { ...about, id, fields: { ...fields, ...one.fields } } : { ...one, id }
  }
}

/** A text that is JSON, read; other values as they are. */
export function unpacked(value: unknown): unknown {
  return typeof value === 'string' && /^\s*[[{"]/.test(value) ? (parseJson(value) ?? value) : value
}

/** A name that is there. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Pairs of keys under which tools count tokens. */
const counters = [
  ['prompt_tokens', 'completion_tokens'],
  ['input_tokens', 'output_tokens'],
  ['promptTokens', 'completionTokens'],
  ['prompt', 'completion'],
  ['input', 'output'],
] as const

/** The tokens of a call, whatever a tool calls them. */
export function usageIn(usage: unknown, cost?: unknown): RecordedUsage | undefined {
  if (!isFields(usage)) return undefined
  for (const [prompt, completion] of counters) {
    const [promptTokens, completionTokens] = [usage[prompt], usage[completion]]
    if (!isCount(promptTokens) || !isCount(completionTokens)) continue
    return { promptTokens, completionTokens, ...(isCount(cost) ? { cost } : {}) }
  }
  return undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

const labels: ReadonlyMap<unknown, Label> = new Map<unknown, Label>([
  ['good', 'good'],
  ['bad', 'bad'],
  ['pass', 'good'],
  ['fail', 'bad'],
  [true, 'good'],
  [false, 'bad'],
])

/** A reference verdict; undefined for labels that mean something else. */
export function labelIn(value: unknown): Label | undefined {
  return labels.get(value)
}
