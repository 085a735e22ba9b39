import type { ToolCall } from '@stickler/core'

const known = ['chatcmpl-', 'resp_', 'msg_']

/** The id of a reply without the prefix of any protocol; ids of all its parts are made from it. */
export function idStem(id: string): string {
  const prefix = known.find((start) => id.startsWith(start))
  return prefix === undefined ? id : id.slice(prefix.length)
}

/** The id of a tool call; made up from the reply's when the provider gave none. */
export function callId(call: ToolCall, replyId: string, choice: number, position: number): string {
  return call.id || `call_${idStem(replyId)}_${choice}_${position}`
}
