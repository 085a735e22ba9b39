import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { callId } from '../../reply/reply-ids.ts'
import type { FinalChoice } from '../../shared/api.ts'

/** A tool call in the shape of chat completions. */
export interface ChatCall extends Fields {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** The tool calls of a choice; provider fields beside a call, such as a signature, stay with it. */
export function chatCalls({ index, toolCalls, message }: FinalChoice, replyId: string): readonly ChatCall[] {
  const given = givenCalls(message.tool_calls)
  return toolCalls.map((call, position) => {
    const id = callId(call, replyId, index, position)
    const own = given.get(id)
    if (own !== undefined && isFields(own.custom)) return own as ChatCall
    return { ...given.get(id), id, type: 'function', function: { name: call.name, arguments: call.arguments } }
  })
}

/** The single call for a client that uses `functions`, the predecessor of tools. */
export function functionCall({ toolCalls, message }: FinalChoice): Fields | undefined {
  const [only, ...more] = toolCalls
  if (only === undefined || more.length > 0 || !isFields(message.function_call)) return undefined
  return { name: only.name, arguments: only.arguments }
}

/** By id; of two calls with one id the first counts. */
function givenCalls(calls: unknown): ReadonlyMap<unknown, Fields> {
  const byId = new Map<unknown, Fields>()
  if (!Array.isArray(calls)) return byId
  for (const call of calls) if (isFields(call) && !byId.has(call.id)) byId.set(call.id, call)
  return byId
}
