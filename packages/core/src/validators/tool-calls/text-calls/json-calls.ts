import type { TextSpan } from '../../../answer/span.ts'
import { readToolCalls, type ToolCall } from '../../../answer/tool-calls.ts'
import { parseJson } from '../../../json/parse-json.ts'
import { eachEntry, skipSpace } from '../../../json/scan.ts'

/** A value inside a list or an object, and its name or number there. */
interface JsonPart extends TextSpan {
  readonly name: string | number
}

const argumentKeys = ['arguments', 'parameters', 'args', 'input'] as const

/** Reads a text that is nothing but JSON for one call, a list of calls, or a message with `tool_calls`; undefined when it is none. */
export function readJsonCalls(text: string): ToolCall[] | undefined {
  const start = skipSpace(text, 0)
  // Whatever else JSON may be, calls are objects or lists of them; this spares most texts the parser.
  if (text[start] !== '{' && text[start] !== '[') return undefined
  const calls = readToolCalls(parseJson(text))
  const given = calls.length === 0 ? [] : argumentsIn(text, start)
  if (calls.length === 0 || given.length !== calls.length) return undefined
  return calls.map((call, index) => withRawArguments(call, text, given[index] as JsonPart))
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

/** The parts of the list or object that starts at an offset; none when something else does. */
function partsAt(text: string, from: number): JsonPart[] {
  const parts: JsonPart[] = []
  if (text[from] === '{' || text[from] === '[') eachEntry(text, from, (name, _from, start, end) => parts.push({ name, start, end }))
  return parts
}

/** The part under the first of the keys that there is; later ones win, as in `JSON.parse`. */
function partUnder(parts: readonly JsonPart[], ...keys: readonly string[]): JsonPart | undefined {
  for (const key of keys) {
    const part = parts.findLast(({ name }) => name === key)
    if (part) return part
  }
  return undefined
}
