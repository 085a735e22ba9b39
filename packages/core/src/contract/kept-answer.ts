import { finishKindOf } from '../answer/finish-reason.ts'
import { type Fields, isFields } from '../answer/tool-shapes/fields.ts'
import { hidden } from './certificate.ts'

/** The only member of a context that was too long to be stored: its length. No check knows this name. */
export const omittedContext = 'omitted characters'

/** What a record has of an answer; one that was edited may have anything. */
interface KeptAnswer {
  readonly text?: unknown
  readonly finishReason?: unknown
  /** The calls, by themselves or as providers write them. */
  readonly toolCalls?: unknown
  /** Whether secrets were taken out of it. */
  readonly masked?: unknown
  /** What checks knew of its request; calls are judged by the tools in it. */
  readonly context?: unknown
}

/** Why what is kept of an answer must not be judged again. */
export type NotKept = 'tool calls not kept' | 'text not kept' | 'secrets hidden' | 'request not kept'

/** What is missing in what is kept of an answer; undefined when all of it is there: a part would be judged as another answer. */
export function notKept({ text, finishReason, toolCalls, masked, context }: KeptAnswer): NotKept | undefined {
  const calls: readonly unknown[] = Array.isArray(toolCalls) ? toolCalls : []
  const endsWithCalls = typeof finishReason === 'string' && finishKindOf(finishReason) === 'calls'
  if ((endsWithCalls && calls.length === 0) || !calls.every(isWhole)) return 'tool calls not kept'
  if (typeof text !== 'string' || text === hidden) return 'text not kept'
  if (masked || calls.some(hidesArguments)) return 'secrets hidden'
  // Any answer is judged by the schema of its request too.
  const isKept = isFields(context) ? !(omittedContext in context) : calls.length === 0
  return isKept ? undefined : 'request not kept'
}

/** Kept calls, and the tools and the format of their request, as fields of a line of `check --jsonl`. */
export function keptCallFields(calls: readonly object[] | undefined, context: Fields | undefined): Fields {
  const hasCalls = calls !== undefined && calls.length > 0
  const { tools, toolChoice: tool_choice, parallelToolCalls: parallel_tool_calls, responseFormat: response_format } = context ?? {}
  const told = {
    tool_calls: hasCalls ? calls : undefined,
    // A context that was kept without tools says that none were offered.
    tools: tools ?? (hasCalls && context ? [] : undefined),
    tool_choice,
    parallel_tool_calls,
    response_format,
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
}

function isWhole(call: unknown): boolean {
  return isFields(call) && call.cut === undefined && call.more === undefined
}

function hidesArguments(call: unknown): boolean {
  if (!isFields(call)) return false
  const { arguments: given, input } = [call.function, call.custom].find(isFields) ?? call
  return given === hidden || input === hidden
}
