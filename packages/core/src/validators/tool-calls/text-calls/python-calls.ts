import type { ToolCall } from '../../../answer/tool-calls.ts'
import { isFields } from '../../../answer/tool-shapes/fields.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import { NoPython, PythonReader } from './python-reader.ts'

/** Reads calls in Python form up to the end of the text: `name(a=1)` one after the other, or a list; undefined when anything else is there. */
export function readPythonCalls(text: string, start: number, tools: ReadonlyMap<string, ToolDefinition>): ToolCall[] | undefined {
  return readAll(new PythonReader(text, start), tools)
}

/** Whether calls in Python form may begin with a text: with it, or with a text that goes on from it. */
export function mayBePythonCalls(text: string, tools: ReadonlyMap<string, ToolDefinition>): boolean {
  const reader = new PythonReader(text, 0)
  return readAll(reader, tools) !== undefined || reader.ranOut
}

function readAll(reader: PythonReader, tools: ReadonlyMap<string, ToolDefinition>): ToolCall[] | undefined {
  const calls: ToolCall[] = []
  try {
    for (reader.skip(); reader.at < reader.text.length; reader.skip()) {
      if (reader.take('[')) for (const call of reader.list(']', () => readCall(reader, tools))) calls.push(call)
      else calls.push(readCall(reader, tools))
      reader.take(';')
    }
  } catch (error) {
    if (error instanceof NoPython) return undefined
    throw error
  }
  return calls.length === 0 ? undefined : calls
}

function readCall(reader: PythonReader, tools: ReadonlyMap<string, ToolDefinition>): ToolCall {
  const name = reader.name()
  const tool = tools.get(name)
  // For an incomplete name, the names of the tools decide whether it may become one.
  if (tool === undefined) reader.ranOut &&= [...tools.keys()].some((one) => one.startsWith(name))
  if (tool === undefined || !reader.take('(')) throw new NoPython()
  const given = new Map<string, string>()
  for (const { key, value } of reader.list(')', () => readArgument(reader))) {
    const argument = key ?? onlyParameter(tool)
    if (argument === undefined || given.has(argument)) throw new NoPython()
    given.set(argument, value)
  }
  const members = [...given].map(([key, value]) => `${JSON.stringify(key)}:${value}`)
  return { name, arguments: `{${members.join(',')}}` }
}

function readArgument(reader: PythonReader): { readonly key?: string; readonly value: string } {
  reader.skip()
  const start = reader.at
  if (/[\p{L}_]/u.test(reader.text[start] ?? '')) {
    const key = tryName(reader)
    if (key !== undefined && reader.take('=')) return { key, value: reader.value() }
    // A constant, or a string with a prefix.
    reader.at = start
  }
  return { value: reader.value() }
}

function tryName(reader: PythonReader): string | undefined {
  const name = reader.name()
  return name.includes('.') ? undefined : name
}

/** An argument without a name is only clear when the tool has a single one. */
function onlyParameter({ schema }: ToolDefinition): string | undefined {
  const names = isFields(schema.properties) ? Object.keys(schema.properties) : []
  return names.length === 1 ? names[0] : undefined
}
