import { Answer } from '../../answer/answer.ts'
import type { PreparedValidator } from '../../contract/validator.ts'

/** A check of JSON that judges the arguments of calls of a tool as it would judge a text; an answer without such a call is not its matter. */
export function inCalls<Code extends string>(text: PreparedValidator<Code>, tool: string): PreparedValidator<Code> {
  return {
    ...(text.allow && { allow: text.allow }),
    ...(text.lastResort && { lastResort: text.lastResort }),
    async *check(answer, context) {
      for (const [index, call] of callsOf(answer, tool)) {
        for await (const found of text.check(call, context)) {
          if (found.kind === 'fact') continue
          const { span: _span, path = [], ...others } = found
          yield { ...others, path: ['tool_calls', index, 'arguments', ...path] }
        }
      }
    },
    async *repair(answer, issues, context, allowed) {
      for (const [index, call] of callsOf(answer, tool)) {
        const own = issues.filter(({ path }) => path?.[1] === index)
        if (own.length === 0) continue
        for await (const change of text.repair?.(call, own, context, allowed) ?? [])
          yield { ...change, in: { call: index, part: 'arguments' }, path: ['tool_calls', index, 'arguments', ...(change.path ?? [])] }
      }
    },
  }
}

/** More calls than that are refused by the checks of calls. */
const mostCalls = 1000

/** The arguments of calls as texts; a wrong name is the matter of other checks. */
function callsOf({ toolCalls, finishReason }: Answer, tool: string): readonly (readonly [number, Answer])[] {
  return toolCalls
    .slice(0, mostCalls)
    .flatMap(({ name, arguments: given }, index) =>
      name === tool ? [[index, new Answer(given === '' ? '{}' : given, { finishReason })] as const] : [],
    )
}
