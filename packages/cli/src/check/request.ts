import { Answer, type ContractInput, readAnswer, repairClasses } from '@stickler/core'
import { pastContext } from '@stickler/core/runners'
import * as z from 'zod'
import { overlay } from '../config/choose-contract.ts'
import type { CheckInput } from '../config/contract-options.ts'

const requestSchema = z.object({
  checks: z.array(z.unknown()).nullish(),
  repair: z.enum(['first', 'last', 'never']).nullish(),
  allow: z.array(z.enum(repairClasses)).nullish(),
  text: z.string().nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
  function_call: z.record(z.string(), z.unknown()).nullish(),
  tool_execution_history: z.array(z.unknown()).nullish(),
  message: z.unknown().optional(),
  response: z.unknown().optional(),
  tools: z.array(z.unknown()).nullish(),
  functions: z.array(z.unknown()).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  messages: z.array(z.unknown()).nullish(),
  transcript: z.unknown().optional(),
  expected_sequence: z.unknown().optional(),
  tool_choice: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  finish_reason: z.string().nullish(),
  sources: z.union([z.array(z.unknown()), z.int().nonnegative()]).nullish(),
  question: z.string().nullish(),
  context: z.unknown().optional(),
  root: z.string().nullish(),
})

/** One line of input: an answer, and what the line says about its contract. */
export interface CheckRequest {
  readonly answer: Answer
  /** As they were written, to be given back unchanged. */
  readonly rawToolCalls: readonly unknown[] | undefined
  /** For the validators. */
  readonly context: Readonly<Record<string, unknown>>
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
  const {
    checks,
    repair,
    allow,
    text,
    tool_calls: rawToolCalls,
    finish_reason: finishReason,
    tool_choice: toolChoice,
    root,
    ...rest
  } = parsed.data
  refuseSeveral(line)
  const { text: _absent, ...others } = line as Readonly<Record<string, unknown>>
  const read = readAnswer(typeof text === 'string' ? line : (rest.response ?? rest.message ?? others))
  return {
    answer: finishReason ? new Answer(read.text, { ...read, finishReason }) : read,
    rawToolCalls: rawToolCalls ?? (rest.function_call ? [rest.function_call] : rest.tool_execution_history) ?? undefined,
    context: contextOf(rest, toolChoice),
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

function contextOf(rest: Pick<z.output<typeof requestSchema>, Told>, toolChoice: unknown): CheckRequest['context'] {
  const { tools, functions, sources, question, context } = rest
  const told = {
    tools: tools || functions ? [...(tools ?? []), ...(functions ?? [])] : undefined,
    toolChoice,
    parallelToolCalls: rest.parallel_tool_calls,
    sources,
    question,
    context,
    ...pastContext(rest, (param, message) => new Error(`${param}: ${message}`)),
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined && value !== null))
}

type Told =
  | 'tools'
  | 'functions'
  | 'sources'
  | 'question'
  | 'context'
  | 'parallel_tool_calls'
  | 'messages'
  | 'transcript'
  | 'expected_sequence'
