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
  // A line that says what the answer is may have other fields of these names.
  const whole = text || rawToolCalls ? undefined : (rest.response ?? rest.message)
  const read = readAnswer(whole ?? { ...line, text: text ?? '' })
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
