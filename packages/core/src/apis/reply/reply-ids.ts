import type { ToolCall } from '../../answer/tool-calls.ts'

const known = ['chatcmpl-', 'resp_', 'msg_']

/** The id of a reply without a protocol prefix; ids of its parts derive from it. */
export function idStem(id: string): string {
  const prefix = known.find((start) => id.startsWith(start))
  return prefix === undefined ? id : id.slice(prefix.length)
}

/** The id of a tool call; derived from the reply's when the provider sent none. */
export function callId(call: ToolCall, replyId: string, choice: number, position: number): string {
  return call.id || `call_${idStem(replyId)}_${choice}_${position}`
}
