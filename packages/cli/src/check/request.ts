import type { ContractInput } from '@stickler/core'
import { repairClasses } from '@stickler/core'
import { type AnswerRequest, readAnswerRequest } from '@stickler/core/runners'
import * as z from 'zod'
import { overlay } from '../config/choose-contract.ts'
import type { CheckInput } from '../config/contract-options.ts'

const requestSchema = z.object({
  checks: z.array(z.unknown()).nullish(),
  repair: z.enum(['first', 'last', 'never']).nullish(),
  allow: z.array(z.enum(repairClasses)).nullish(),
  root: z.string().nullish(),
})

/** One line of input: an answer, and what the line says about its contract. */
export interface CheckRequest extends AnswerRequest {
  readonly root: string | undefined
  /** Whether the line brings its own checks. */
  readonly hasChecks: boolean
  /** Lays what the line says over the contract of the command line. */
  overlay(base: ContractInput): ContractInput
}

/** Reads a line's object; throws an Error that says what is wrong with it. */
export function readRequest(line: unknown): CheckRequest {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) throw new Error('a line must be a JSON object')
  const parsed = requestSchema.safeParse(line)
  if (!parsed.success) throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  const { checks, repair, allow, root } = parsed.data
  refuseSeveral(line)
  return {
    ...readAnswerRequest(line as Readonly<Record<string, unknown>>, (param, message) => new Error(`${param}: ${message}`)),
    root: root ?? undefined,
    hasChecks: checks !== undefined && checks !== null,
    overlay: (base) =>
      overlay(base, {
        ...(checks ? { check: checks as CheckInput[] } : {}),
        ...(repair ? { repair } : {}),
        ...(allow ? { allow } : {}),
      }),
  }
}

/** The keys of an answer; keys of one group belong together, keys of two groups are two answers. */
const answerKeys = [
  ['text', 'tool_calls', 'function_call', 'tool_execution_history', 'final_response', 'content', 'parts'],
  ['output', 'output_text'],
  ['message'],
  ['response'],
  ['choices'],
  ['candidates'],
]
const textKeys = ['text', 'final_response', 'content', 'parts']

/** Rejects two answers in one line, of which only one would be checked. */
function refuseSeveral(line: object): void {
  const fields = line as Readonly<Record<string, unknown>>
  // Beside a text, a message that is a string itself is a remark, as in the lines of a log.
  const isRemark = (key: string): boolean => typeof fields.text === 'string' && key === 'message' && typeof fields[key] === 'string'
  const has = (key: string): boolean => (fields[key] ?? undefined) !== undefined && !isRemark(key)
  const groups = answerKeys.map((keys) => keys.filter(has)).filter((keys) => keys.length > 0)
  const several = groups.length > 1 ? groups.map(([key]) => key) : textKeys.filter(has)
  if (several.length > 1) throw new Error(`a line holds one answer; this one has ${several.join(' and ')}`)
}
