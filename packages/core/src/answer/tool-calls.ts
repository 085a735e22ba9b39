import { anthropicShape } from './tool-shapes/call-shapes.ts'
import { field, isFields } from './tool-shapes/fields.ts'
import { innerMessage, type Located, locateCalls, shapeOf } from './tool-shapes/locate.ts'
import { openaiShape } from './tool-shapes/openai-calls.ts'
import type { ToolCall } from './tool-shapes/tool-call.ts'

export type { ToolCall } from './tool-shapes/tool-call.ts'

/**
 * Reads the tool calls of a response, of a list of calls, or one call, in any known shape; anything else has none.
 *
 * An entry among calls that cannot be recognised is kept as a call with an empty name, which no tool has: it is
 * reported, not lost.
 */
export function readToolCalls(value: unknown): ToolCall[] {
  const located = locateCalls(value)
  return located === undefined ? [] : Array.from(located.entries, (entry) => readEntry(entry, located)).filter((call) => call !== undefined)
}

/** Puts calls back where they were read from, in the shape they had there; what did not change stays the same value. */
export function writeToolCalls(original: unknown, calls: readonly ToolCall[]): unknown {
  const located = locateCalls(original)
  if (located === undefined) return attach(original, calls)
  let next = 0
  let changed = false
  const entries: unknown[] = []
  for (const entry of located.entries) {
    const before = readEntry(entry, located)
    const call = before && calls[next++]
    const after = before === undefined || (call && sameCall(before, call)) ? entry : call && rewrite(entry, call)
    changed ||= after !== entry
    if (after !== undefined || before === undefined) entries.push(after)
  }
  if (!changed && next >= calls.length) return original
  return located.put([...entries, ...calls.slice(next).map((call) => located.shape.write(call))])
}

function readEntry(entry: unknown, { holds }: Located): ToolCall | undefined {
  const shape = shapeOf(entry)
  if (shape && isFields(entry)) return shape.read(entry)
  // A bare list may be the content of a message, with parts of other types among the calls.
  const isOtherPart = holds === 'parts' || (holds === 'list' && typeof field(entry, 'type') === 'string')
  return isOtherPart ? undefined : { name: '', arguments: '{}' }
}

function rewrite(entry: unknown, call: ToolCall): unknown {
  return isFields(entry) ? (shapeOf(entry) ?? openaiShape).write(call, entry) : openaiShape.write(call)
}

/** Adds calls to a message that had none. */
function attach(original: unknown, calls: readonly ToolCall[]): unknown {
  if (calls.length === 0) return original
  const message = innerMessage(original)
  if (!isFields(message.value)) return calls.map((call) => openaiShape.write(call))
  const content = field(message.value, 'content')
  // Only Anthropic's messages are marked as such; others may have a list of parts as content, but keep calls elsewhere.
  return field(message.value, 'type') === 'message' && Array.isArray(content)
    ? message.put({ ...message.value, content: [...content, ...calls.map((call) => anthropicShape.write(call))] })
    : message.put({ ...message.value, tool_calls: calls.map((call) => openaiShape.write(call)) })
}

function sameCall(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && a.arguments === b.arguments && a.id === b.id
}
