import { readToolCalls, type ToolCall } from '../../../answer/tool-calls.ts'
import { type JsonPart, partsAt, partUnder, skipSpace } from './json-spans.ts'

const argumentKeys = ['arguments', 'parameters', 'args', 'input'] as const

/** Reads a text that is nothing but JSON for one call, a list of calls, or a message with `tool_calls`; undefined when it is none. */
export function readJsonCalls(text: string): ToolCall[] | undefined {
  const start = skipSpace(text, 0)
  // Whatever else JSON may be, calls are objects or lists of them; this spares most texts the parser.
  if (text[start] !== '{' && text[start] !== '[') return undefined
  const value = parse(text)
  const calls = readToolCalls(value)
  const given = calls.length === 0 ? [] : argumentsIn(text, start)
  if (calls.length === 0 || given.length !== calls.length) return undefined
  return calls.map((call, index) => withRawArguments(call, text, given[index] as JsonPart))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The arguments of each call; a call that has none is left out, because an object with a name alone may be anything. */
function argumentsIn(text: string, start: number): JsonPart[] {
  const root = partsAt(text, start)
  const list = text[start] === '[' ? root : partsAt(text, partUnder(root, 'tool_calls')?.start ?? text.length)
  const entries = list.length > 0 ? list.map((entry) => partsAt(text, entry.start)) : [root]
  return entries
    .map(
      (entry) =>
        partUnder(partsAt(text, partUnder(entry, 'function')?.start ?? text.length), 'arguments') ?? partUnder(entry, ...argumentKeys),
    )
    .filter((part) => part !== undefined)
}

/** The arguments as they are written, so that no number loses digits on the way. */
function withRawArguments(call: ToolCall, text: string, { start, end }: JsonPart): ToolCall {
  return text[start] === '{' || text[start] === '[' ? { ...call, arguments: text.slice(start, end) } : call
}
