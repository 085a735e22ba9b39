import { type AnswerRequest, answerFields, readAnswerRequest } from '@stickler/core/runners'
import { checkSchemaSize } from '../../apis/shared/schema-size.ts'
import { HttpError } from '../../front/replies/http-error.ts'

type Fields = Readonly<Record<string, unknown>>

/** When repairs are made; without a model, first and last are the same. */
export type RepairChoice = 'first' | 'last' | 'never'

/** An answer to be checked, and what its validators are told. */
export interface CheckRequest extends AnswerRequest {
  readonly contract: string | undefined
  readonly preset: string | undefined
  readonly repair: RepairChoice | undefined
  readonly session: string | undefined
}

const known: ReadonlySet<string> = new Set(['contract', 'preset', ...answerFields, 'repair', 'session'])
/** One of these holds the answer; a whole response excludes the others. */
const wholes = ['response', 'message']
const pieces = ['text', 'tool_calls', 'function_call', 'invalid_tool_calls', 'tool_execution_history']
const longestName = 256

/** Reads the body of a check; throws a 400 that names the parameter when it cannot be right. */
export function readCheckRequest(body: Fields): CheckRequest {
  const unknown = Object.keys(body).find((name) => !known.has(name))
  // Checks and options of a contract come from the configuration alone, so they must not be passed over in silence.
  if (unknown !== undefined)
    throw bad(unknown.slice(0, 80), `There is no parameter ${JSON.stringify(unknown.slice(0, 80))}; there are ${[...known].join(', ')}.`)
  const contract = text(body, 'contract')
  const preset = text(body, 'preset')
  if (contract !== undefined && preset !== undefined) throw bad('preset', 'contract and preset exclude each other.')
  const isGiven = (name: string): boolean => (body[name] ?? undefined) !== undefined
  const whole = wholes.find(isGiven)
  const piece = [...wholes, ...pieces].find((name) => name !== whole && isGiven(name))
  if (whole !== undefined && piece !== undefined) throw bad(whole, `${whole} excludes ${piece}.`)
  const hasAnswer = whole !== undefined || piece !== undefined
  const missing = (): HttpError => bad('text', 'Give the answer as text, message, response or tool_calls.')
  if (!hasAnswer && !(isGiven('question') && isGiven('context'))) throw missing()
  for (const name of wholes)
    if (isGiven(name) && (typeof body[name] !== 'object' || Array.isArray(body[name]))) throw bad(name, `${name} must be an object.`)
  text(body, 'finish_reason')
  const request = readAnswerRequest(body, (param, message) => bad(param, `${param} ${message}.`))
  for (const name of ['tools', 'functions'])
    for (const [key, tool] of Object.entries(request.context[name] ?? {})) checkSchemaSize(tool, `${name}[${key}]`)
  return {
    ...request,
    ...(hasAnswer ? {} : { missing: missing() }),
    contract,
    preset,
    repair: repairOf(body),
    session: text(body, 'session'),
  }
}

function repairOf({ repair }: Fields): RepairChoice | undefined {
  if (repair === undefined || repair === null) return undefined
  if (repair === 'first' || repair === 'last' || repair === 'never') return repair
  throw bad('repair', 'repair must be first, last or never.')
}

/** A name or another short text. */
function text(body: Fields, name: string): string | undefined {
  const value = body[name] ?? undefined
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw bad(name, `${name} must be a string.`)
  if (value.length > longestName) throw bad(name, `${name} may have at most ${longestName} characters.`)
  return value
}

function bad(param: string, message: string): HttpError {
  return new HttpError(400, message, { param, code: 'invalid_parameter' })
}
