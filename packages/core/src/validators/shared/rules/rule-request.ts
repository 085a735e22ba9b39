import type { Answer } from '../../../answer/answer.ts'
import { isFields } from '../../../answer/tool-shapes/fields.ts'
import { openaiShape } from '../../../answer/tool-shapes/openai.ts'
import type { RuleRequest } from '../../../contract/rules/rule-port.ts'
import type { CheckContext } from '../../../contract/validator.ts'
import type { AskedRule } from './rule-options.ts'

/** Fields of the context that a line of `stickler check --jsonl` has itself, by their names there. */
const ofLines: ReadonlyMap<string, string> = new Map([
  ['tools', 'tools'],
  ['functions', 'functions'],
  ['toolChoice', 'tool_choice'],
  ['parallelToolCalls', 'parallel_tool_calls'],
  ['sources', 'sources'],
  ['question', 'question'],
  ['context', 'context'],
  ['transcript', 'transcript'],
  ['expected_sequence', 'expected_sequence'],
])

/** What a rule is asked about an answer. */
export function requestOf(
  { options, context: chosen }: Pick<AskedRule, 'options' | 'context'>,
  { text, toolCalls, finishReason }: Answer,
  { locale, context }: Pick<CheckContext, 'locale' | 'context'>,
): RuleRequest {
  const given = Object.entries(context).filter(([name, value]) => value !== undefined && (chosen?.includes(name) ?? true))
  const others = given.filter(([name]) => !ofLines.has(name))
  return {
    text,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map((call) => openaiShape.write(call)) }),
    ...(finishReason === undefined ? {} : { finish_reason: finishReason }),
    locale,
    ...(options === undefined ? {} : { options }),
    // A field by the same name takes the place of what has none.
    ...(others.length === 0 ? {} : { context: Object.fromEntries(others) }),
    ...Object.fromEntries(
      given.flatMap(([name, value]) => (ofLines.has(name) ? [[ofLines.get(name) as string, shared(name, value)]] : [])),
    ),
  }
}

/** Of earlier calls a rule sees the names and whether they succeeded; what tools have answered stays here. */
function shared(name: string, value: unknown): unknown {
  if (name !== 'transcript' || !Array.isArray(value)) return value
  return value.map((call: unknown) => {
    if (!isFields(call) || typeof call.name !== 'string' || call.result === undefined) return call
    const { result: _result, ...rest } = call
    return rest
  })
}
